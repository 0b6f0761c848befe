/** Returns the Shannon entropy of an ASCII slice in bits per character; other characters count as one more symbol. */
export function entropyOf(text: string, start: number, end: number): number {
  const counts = new Uint16Array(128);
  let other = 0;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code < 128) counts[code]!++;
    else other++;
  }
  const total = end - start;
  let bits = 0;
  for (let code = 0; code < 128; code++) {
    const count = counts[code]!;
    if (count > 0) bits -= (count / total) * Math.log2(count / total);
  }
  if (other > 0) bits -= (other / total) * Math.log2(other / total);
  return bits;
}
