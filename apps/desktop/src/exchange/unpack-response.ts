import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';

const UNPACKERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

export interface UnpackEvents {
  bytes(bytes: Uint8Array): void;
  end(trailers: readonly string[]): void;
  /** The body is not compressed as its header claims. */
  error(): void;
  drain(): void;
}

/** Decompresses a body while it is streamed. */
export interface Unpacker {
  /** False: wait for `drain`. */
  write(bytes: Uint8Array): boolean;
  end(trailers: readonly string[]): void;
  pause(): void;
  resume(): void;
  /** No event follows the call. */
  destroy(): void;
}

/** Returns null if the body is not compressed, or in an unknown way. */
export function createUnpacker(packing: string, events: UnpackEvents): Unpacker | null {
  const unpack = UNPACKERS[packing]?.();
  if (unpack === undefined) return null;
  unpack.on('data', events.bytes);
  let trailers: readonly string[] = [];
  unpack.on('end', () => events.end(trailers));
  unpack.on('error', events.error);
  unpack.on('drain', events.drain);
  return {
    write: (bytes) => unpack.write(bytes),
    end(last) {
      trailers = last;
      unpack.end();
    },
    pause: () => void unpack.pause(),
    resume: () => void unpack.resume(),
    destroy() {
      unpack.removeAllListeners('data').removeAllListeners('end');
      unpack.destroy();
    },
  };
}
