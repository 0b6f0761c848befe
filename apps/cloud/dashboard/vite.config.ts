import { defineConfig } from 'vite';

/** Replaced at every request by routes/dashboard-pages.ts. */
const NONCE_PLACEHOLDER = '__CSP_NONCE__';

// Vite reads its configuration from a default export.
// biome-ignore lint/style/noDefaultExport: see above
export default defineConfig({
  base: '/dashboard/',
  html: { cspNonce: NONCE_PLACEHOLDER },
  build: {
    target: 'es2023',
    // Browsers that know light-dark(), which is written for both schemes once.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // All of those browsers know it themselves.
    modulePreload: { polyfill: false },
    // Small files stay files too, because the content security policy allows no data: scripts.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      // Pages use few constants of the contract: without this, all its schemas would be loaded with them.
      treeshake: { manualPureFunctions: ['Type'] },
      output: {
        // Tables stay out of it, which the overview, the first page that people see, does not need.
        // Code shared by most pages is one file, because thirty small ones would cost more in headers than in code.
        codeSplitting: {
          groups: [
            { name: 'shared', minShareCount: 8, test: (id) => !id.includes('/data-table.') },
            // The first pages load these: a file of its own would be mostly headers.
            {
              name: 'shared',
              test: /\/(?:use-force-update|use-sign-in|done-steps|Progress|SimpleGrid|stat)\b/,
            },
          ],
        },
      },
    },
  },
});
