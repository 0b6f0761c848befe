import { readUnknownStream, type WireFormat } from '@csg/shared/providers';
import type { TextSlot } from '@csg/shared/text';
import type { DeviceVerdict } from './decide-texts.ts';

/** Size of earlier output that is evaluated again with each piece, so that a secret split in two is found. */
const WINDOW = 8_192;

/** Evaluates a response while it is sent. */
export interface StreamWatch {
  /** Evaluates the next decoded piece together with the previous ones. */
  push(text: string): DeviceVerdict;
}

export type EvaluateSlots = (slots: readonly TextSlot[]) => DeviceVerdict;

/** Evaluates an event stream, or messages converted to one by `asFrame`. */
export function watchStream(evaluate: EvaluateSlots, format: WireFormat | null): StreamWatch {
  const readStream = format?.readStream ?? readUnknownStream;
  return watchBy((window) => evaluate(readStream(window).slots), '\n\n');
}

/** Evaluates text of any other format as it is. */
export function watchText(evaluate: EvaluateSlots): StreamWatch {
  return watchBy((text) => evaluate([{ path: '', role: 'assistant', text }]), '\n');
}

/** `end`: the delimiter of a piece, so that none is cut where the window begins. */
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

/** Converts a WebSocket message to an event of a stream. */
export function asFrame(message: string): string {
  return `data: ${message.replace(/[\r\n]+/g, ' ')}\n\n`;
}
