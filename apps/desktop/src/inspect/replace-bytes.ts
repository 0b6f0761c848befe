/** Every place of `from` in `bytes` becomes `to`. The same array where there is none. */
export function replaceBytes(bytes: Uint8Array, from: Uint8Array, to: Uint8Array): Uint8Array {
  const places = placesOf(bytes, from);
  if (places.length === 0) return bytes;
  const written = new Uint8Array(bytes.length + places.length * (to.length - from.length));
  let read = 0;
  let at = 0;
  for (const place of places) {
    written.set(bytes.subarray(read, place), at);
    at += place - read;
    written.set(to, at);
    at += to.length;
    read = place + from.length;
  }
  written.set(bytes.subarray(read), at);
  return written;
}

function placesOf(bytes: Uint8Array, wanted: Uint8Array): number[] {
  const places: number[] = [];
  const first = wanted[0];
  if (first === undefined) return places;
  let at = bytes.indexOf(first);
  while (at !== -1 && at + wanted.length <= bytes.length) {
    let length = 1;
    while (length < wanted.length && bytes[at + length] === wanted[length]) length++;
    if (length === wanted.length) places.push(at);
    at = bytes.indexOf(first, length === wanted.length ? at + length : at + 1);
  }
  return places;
}
