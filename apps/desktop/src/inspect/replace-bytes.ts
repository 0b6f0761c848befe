/** Replaces every occurrence of `from` in `bytes` with `to`. Returns the same array if there is none. */
export function replaceBytes(bytes: Uint8Array, from: Uint8Array, to: Uint8Array): Uint8Array {
  const positions = positionsOf(bytes, from);
  if (positions.length === 0) return bytes;
  const written = new Uint8Array(bytes.length + positions.length * (to.length - from.length));
  let read = 0;
  let at = 0;
  for (const position of positions) {
    written.set(bytes.subarray(read, position), at);
    at += position - read;
    written.set(to, at);
    at += to.length;
    read = position + from.length;
  }
  written.set(bytes.subarray(read), at);
  return written;
}

function positionsOf(bytes: Uint8Array, wanted: Uint8Array): number[] {
  const positions: number[] = [];
  const first = wanted[0];
  if (first === undefined) return positions;
  let at = bytes.indexOf(first);
  while (at !== -1) {
    let length = 1;
    while (length < wanted.length && bytes[at + length] === wanted[length]) length++;
    if (length === wanted.length) positions.push(at);
    at = bytes.indexOf(first, length === wanted.length ? at + length : at + 1);
  }
  return positions;
}
