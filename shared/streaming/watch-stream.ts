import { readUnknownStream, type WireFormat } from '../providers/index.ts';
import type { TextSlot } from '../text/index.ts';

/** Size of earlier output that is evaluated again with each piece, so that a secret split in two is found. */
const WINDOW = 8_192;

/** Evaluates a response while it is sent. */
export interface StreamWatch<Verdict> {
  /** Evaluates the next decoded piece together with the previous ones. */
  push(text: string): Verdict;
}

export type EvaluateSlots<Verdict> = (slots: readonly TextSlot[]) => Verdict;

/** Evaluates an event stream; `format` null: of unknown form. */
export function watchStream<Verdict>(
  evaluate: EvaluateSlots<Verdict>,
  format: WireFormat | null,
): StreamWatch<Verdict> {
  const readStream = format?.readStream ?? readUnknownStream;
  return watchBy((window) => evaluate(readStream(window).slots), '\n\n');
}

/** Evaluates text of any other format as it is. */
export function watchText<Verdict>(evaluate: EvaluateSlots<Verdict>): StreamWatch<Verdict> {
  return watchBy((text) => evaluate([{ path: '', role: 'assistant', text }]), '\n');
}

/** `end`: the delimiter of a piece, so that none is cut where the window begins. */
function watchBy<Verdict>(evaluate: (window: string) => Verdict, end: string): StreamWatch<Verdict> {
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
