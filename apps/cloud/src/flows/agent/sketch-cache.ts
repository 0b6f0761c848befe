import { hash } from 'node:crypto';
import { type SketchOf, sketchText, type TextSketch } from '@csg/shared/flow-control';

/** Remembers what texts can name, so that flow control does not read a history that is sent again. */
export interface SketchCache {
  /** Each organization has its own: how quickly a text is traced tells whether it was seen before. */
  of(organizationId: string): SketchOf;
}

/** UTF-16 units. Shorter texts are read as quickly as they are looked up. */
const MIN_LENGTH = 256;
/** About what an entry takes beside its bits. */
const ENTRY_BYTES = 250;

/** Digests and bits only: nothing of a text is stored. The least recently seen are forgotten above `sizeBytes`. */
export function createSketchCache(sizeBytes: number): SketchCache {
  // In the order they were last seen.
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

/** With the numbers and amounts, which are as many bits each and are read later. */
const bytesOf = ({ words }: TextSketch): number => ENTRY_BYTES + 3 * words.byteLength;

/** Of every code of a text: UTF-8 would make all halves of characters one. */
function digestOf(text: string): string {
  return text.isWellFormed()
    ? hash('sha256', text, 'base64')
    : `!${hash('sha256', Buffer.from(text, 'utf16le'), 'base64')}`;
}
