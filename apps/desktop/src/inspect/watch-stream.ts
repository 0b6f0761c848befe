import { readUnknownStream, type WireFormat } from '@csg/shared/providers';
import type { TextSlot } from '@csg/shared/text';
import type { DeviceVerdict } from './decide-texts.ts';

/** So much of what passed is read again together with what comes: a secret that is cut in two is still one. */
const WINDOW = 8_192;

/** Reads an answer while it passes. */
export interface StreamWatch {
  /** The next piece, decoded. The verdict on it together with what came before. */
  push(text: string): DeviceVerdict;
}

export type EvaluateSlots = (slots: readonly TextSlot[]) => DeviceVerdict;

/** An event stream, or messages put into one by `asFrame`. */
export function watchStream(evaluate: EvaluateSlots, format: WireFormat | null): StreamWatch {
  const readStream = format?.readStream ?? readUnknownStream;
  return watchBy((window) => evaluate(readStream(window).slots), '\n\n');
}

/** Text of any other shape, read as it stands. */
export function watchText(evaluate: EvaluateSlots): StreamWatch {
  return watchBy((text) => evaluate([{ path: '', role: 'assistant', text }]), '\n');
}

/** `end`: what a piece ends with, so that none is cut where the window begins. */
function watchBy(evaluate: (window: string) => DeviceVerdict, end: string): StreamWatch {
  let window = '';
  return {
    push(text) {
      window += text;
      const verdict = evaluate(window);
      if (window.length > 2 * WINDOW) {
        const from = window.length - WINDOW;
        const at = window.lastIndexOf(end, from);
        window = window.slice(at === -1 || from - at > WINDOW ? from : at + end.length);
      }
      return verdict;
    },
  };
}

/** A message of a WebSocket as an event of a stream. */
export function asFrame(message: string): string {
  return `data: ${message.replace(/[\r\n]+/g, ' ')}\n\n`;
}
