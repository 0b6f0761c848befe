/** Held bytes as an immutable list, newest first: adding bytes changes no list that is used elsewhere. */
export interface HeldBytes {
  readonly bytes: Uint8Array;
  readonly before: HeldBytes | null;
  /** Total size of the list. */
  readonly size: number;
}

export function hold(before: HeldBytes | null, bytes: Uint8Array): HeldBytes {
  return { bytes, before, size: (before?.size ?? 0) + bytes.length };
}

/** Returns the pieces in the order of their arrival. */
export function heldPieces(held: HeldBytes | null): readonly Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let each = held; each !== null; each = each.before) pieces.push(each.bytes);
  return pieces.reverse();
}

export function heldWhole(held: HeldBytes | null): Uint8Array {
  if (held === null) return new Uint8Array(0);
  if (held.before === null) return held.bytes;
  const whole = new Uint8Array(held.size);
  let end = held.size;
  for (let each: HeldBytes | null = held; each !== null; each = each.before) {
    end -= each.bytes.length;
    whole.set(each.bytes, end);
  }
  return whole;
}
