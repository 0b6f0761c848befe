import { hash } from 'node:crypto';
import { type SketchOf, sketchText, type TextSketch } from '@csg/shared/flow-control';

/** Caches sketches of texts, so that flow control does not read a history again when it is resent. */
export interface SketchCache {
  /** One cache per organization: response times would otherwise reveal whether a text was seen before. */
  of(organizationId: string): SketchOf;
}

/** In UTF-16 units. Shorter texts are read as fast as they are looked up. */
const MIN_LENGTH = 256;
/** Approximate size of an entry without its bits. */
const ENTRY_BYTES = 250;

/** Contains only digests and bits, never text. Above `sizeBytes` the least recently used entries are evicted. */
export function createSketchCache(sizeBytes: number): SketchCache {
  // In order of last use.
  const entries = new Map<string, TextSketch>();
  let used = 0;
  return {
    of: (organizationId) => (text) => {
      if (text.length < MIN_LENGTH || sizeBytes === 0) return sketchText(text);
      const key = `${organizationId} ${digestOf(text)}`;
      const known = entries.get(key);
      const sketch = known ?? sketchText(text);
      if (known === undefined) used += bytesOf(sketch);
      else entries.delete(key);
      entries.set(key, sketch);
      for (const [oldest, its] of entries) {
        if (used <= sizeBytes) break;
        entries.delete(oldest);
        used -= bytesOf(its);
      }
      return sketch;
    },
  };
}

/** Includes the numbers and amounts, which are computed later and have the same number of bits each. */
const bytesOf = ({ words }: TextSketch): number => ENTRY_BYTES + 3 * words.byteLength;

/** Hashes all UTF-16 units if needed: UTF-8 would map all lone surrogates to one character. */
function digestOf(text: string): string {
  return text.isWellFormed()
    ? hash('sha256', text, 'base64')
    : `!${hash('sha256', Buffer.from(text, 'utf16le'), 'base64')}`;
}
