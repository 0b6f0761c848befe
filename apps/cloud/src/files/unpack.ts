import { unread } from './file-text.ts';
import type { Allowance } from './reading-limits.ts';

export interface Unpacked {
  readonly bytes: Buffer;
  /** Why it is incomplete: there is more than may be unpacked, or the rest is broken. */
  readonly cut: 'too_large' | 'broken' | null;
}

/** Collects unpacked data up to the allowance; data before an error is kept. */
export class UnpackedBytes {
  readonly #allowance: Allowance;
  readonly #chunks: Uint8Array[] = [];
  isFull = false;

  constructor(allowance: Allowance) {
    this.#allowance = allowance;
  }

  /** Returns false if the allowance is used up. */
  add(chunk: Uint8Array): boolean {
    const head = chunk.subarray(0, this.#allowance.bytes);
    this.#allowance.bytes -= head.length;
    this.#chunks.push(head);
    this.isFull = head.length < chunk.length;
    return !this.isFull;
  }

  end(isBroken: boolean): Unpacked {
    const cut = this.isFull ? 'too_large' : isBroken ? 'broken' : null;
    return { bytes: Buffer.concat(this.#chunks), cut };
  }
}

/** Unread parts of data that was only partly unpacked. */
export const INCOMPLETE_DATA = {
  too_large: unread('too_large', 'its unpacked size exceeds the limit'),
  broken: unread('undecodable', 'its packed content is damaged'),
} as const;
