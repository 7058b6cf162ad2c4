import { defineConfig } from 'vite';

// The published package: the command line and the parts of lib that others import. Both must be compiled, since Node does not
// strip types inside node_modules. What they need is compiled in, but for murmurhash, which travels inside the package.
export default defineConfig({
  publicDir: false,
  build: {
    ssr: true,
    outDir: '.output/package',
    target: 'node22',
    minify: false,
    rolldownOptions: {
      input: {
        cli: 'cli/main.ts',
        url: 'lib/url/index.ts',
        fingerprint: 'lib/fingerprint/index.ts',
        sets: 'lib/sets/index.ts',
        content: 'lib/content/index.ts',
        crawlee: 'service/adapters/crawlee/index.ts',
      },
      output: { entryFileNames: '[name].js', chunkFileNames: 'shared/[name]-[hash].js' },
    },
  },
  ssr: { noExternal: true, external: ['murmurhash'] },
});
