/**
 * Preloaded into a gateway process (`--import`): the scanner is replaced by one that finds nothing, and all the rest
 * stays. The product has no switch for this, and needs none; the benchmark has to know what the scan costs.
 */
import { registerHooks } from 'node:module';

const standIn = new URL('./no-scanner.ts', import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    return found.url.endsWith('/apps/cloud/src/detection-workers/scanner.ts') && context.parentURL !== standIn
      ? { ...found, url: standIn }
      : found;
  },
});
