import type { Sealer } from './sealer.ts';

/** No value that earlier builds stored unsealed (addresses, JSON) consists of these alone. */
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** A sealed value for a column of text: base64. */
export function sealText(sealer: Pick<Sealer, 'seal'>, plain: string, boundTo: string): string {
  return sealer.seal(plain, boundTo).toString('base64');
}

/** A value that an earlier build stored unsealed is returned as it is. Throws like `open`. */
export function openText(sealer: Pick<Sealer, 'open'>, text: string, boundTo: string): string {
  return BASE64.test(text) ? sealer.open(Buffer.from(text, 'base64'), boundTo) : text;
}
