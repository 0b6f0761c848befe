import { decide, scan, type Verdict } from '@csg/shared/detection';
import { type BodyDialect, dialectByName } from '@csg/shared/dialects';
import type { CompiledPolicy } from './compile-policy.ts';

/** So much of what passed is read again together with what comes: a secret that is cut in two is still one. */
const WINDOW = 8_192;

/** Reads an answer while it passes: an event stream, or messages put into one by `asFrame`. */
export interface StreamWatch {
  /** The next piece, decoded. The verdict on it together with what came before. */
  push(text: string): Verdict;
}

export function watchStream(compiled: CompiledPolicy, dialect: BodyDialect | null): StreamWatch {
  let window = '';
  // Frames of a shape unknown are read by their member names alone: pieces under the same names belong together.
  const { readStream } = dialect ?? dialectByName('openai-responses');
  return {
    push(text) {
      window += text;
      const { slots } = readStream(window);
      const verdict = decide(scan(slots, compiled.ruleset, 'output'), compiled.ruleset, 'output');
      if (window.length > 2 * WINDOW) {
        const from = window.length - WINDOW;
        const frame = window.lastIndexOf('\n\n', from);
        window = window.slice(frame === -1 || from - frame > WINDOW ? from : frame + 2);
      }
      return verdict;
    },
  };
}

/** A message of a WebSocket as an event of a stream. */
export function asFrame(message: string): string {
  return `data: ${message.replace(/[\r\n]+/g, ' ')}\n\n`;
}
