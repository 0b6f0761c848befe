import { decide, scan, type Verdict } from '@csg/shared/detection';
import type { BodyDialect } from '@csg/shared/dialects';
import type { TextSlot } from '@csg/shared/text';
import type { CompiledPolicy } from './compile-policy.ts';

/** So much of what passed is read again together with what comes: a secret that is cut in two is still one. */
const WINDOW = 8_192;

/** Reads an answer while it passes. */
export interface StreamWatch {
  /** The next piece, decoded. The verdict on it together with what came before. */
  push(text: string): Verdict;
}

export function watchStream(compiled: CompiledPolicy, dialect: BodyDialect | null): StreamWatch {
  let window = '';
  return {
    push(text) {
      window += text;
      const slots: readonly TextSlot[] =
        dialect === null
          ? [{ path: '#stream', role: 'assistant', text: window }]
          : dialect.readStream(window).slots;
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
