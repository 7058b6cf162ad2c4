import { defineConfig } from 'vitest/config';

// What is too long for every day: `npm run test:long`.
export default defineConfig({
  test: { include: ['service/**/*.long.test.ts'], testTimeout: 300_000, fileParallelism: false },
});
