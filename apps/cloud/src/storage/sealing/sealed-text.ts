import type { Sealer } from './sealer.ts';

/** Earlier builds stored URLs and JSON unsealed; neither consists of these characters only. */
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Seals a value for a text column: base64. */
export function sealText(sealer: Pick<Sealer, 'seal'>, plain: string, boundTo: string): string {
  return sealer.seal(plain, boundTo).toString('base64');
}

/** Returns a value that an earlier build stored unsealed as it is. Throws like `open`. */
export function openText(sealer: Pick<Sealer, 'open'>, text: string, boundTo: string): string {
  return BASE64.test(text) ? sealer.open(Buffer.from(text, 'base64'), boundTo) : text;
}
