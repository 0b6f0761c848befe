/** Frames of HTTP/2 (RFC 9113), written by hand. */
export const FRAMES = { data: 0, headers: 1, reset: 3, settings: 4, goAway: 7 } as const;
export const END_STREAM = 1;
export const END_HEADERS = 4;
/** Of settings. */
export const ACK = 1;

/** A frame of HTTP/2 as a test writes it by hand: libraries refuse odd ones. */
export function frame(type: keyof typeof FRAMES, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = FRAMES[type];
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** A block of literal headers, without an index. */
export function headerBlock(headers: readonly (readonly [name: string, value: string])[]): Buffer {
  const texts = headers.flatMap((header) => header.map((text) => Buffer.from(text.slice(0, 120), 'latin1')));
  const literals = texts.map((text, i) => [...(i % 2 === 0 ? [0x10] : []), text.length, ...text]);
  return Buffer.from(literals.flat());
}
