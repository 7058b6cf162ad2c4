import { defineConfig } from 'vite';

// `bin` must be compiled: Node does not strip types inside node_modules.
export default defineConfig({
  build: { ssr: 'cli/main.ts', outDir: '.output/cli', target: 'node22', minify: false },
  ssr: { noExternal: true },
});
