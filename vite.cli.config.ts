import { defineConfig } from 'vite';

// The published package: the command line and the parts of lib that others import. Both must be compiled, since Node does not
// strip types inside node_modules; everything they need is bundled, so the package has no dependencies.
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
      },
      output: { entryFileNames: '[name].js', chunkFileNames: 'shared/[name]-[hash].js' },
    },
  },
  ssr: { noExternal: true },
});
