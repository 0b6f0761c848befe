import type { TextGate } from '../detection/index.ts';
import { PlaceholderText, type RestoreValue } from '../providers/index.ts';
import type { Replacement } from '../text/index.ts';

/** The gates of one text as the provider sends it, and as it leaves. */
export interface GatesOfText {
  readonly sent: TextGate;
  readonly restored: TextGate;
}

/**
 * Up to where a text can be released into which values are put back: of neither spelling a byte that is blocked, and nothing
 * of a placeholder before it is decided what stands in its place.
 */
export class RestoringGate implements TextGate {
  private readonly gates: GatesOfText;
  private readonly text: PlaceholderText;
  private sent = 0;
  private restored = 0;
  /** Replacements before a place that was released, and how much longer they made the text. */
  private passed = 0;
  private grownBy = 0;

  constructor(gates: GatesOfText, restore: RestoreValue, isCall: boolean) {
    this.gates = gates;
    this.text = new PlaceholderText(restore, isCall);
  }

  push(piece: string): number {
    this.sent = this.gates.sent.push(piece);
    const decided = this.text.push(piece);
    if (decided !== '') this.restored = this.gates.restored.push(decided);
    return this.released;
  }

  pause(): number {
    this.sent = this.gates.sent.pause();
    this.restored = this.gates.restored.pause();
    return this.released;
  }

  /** Of a piece that begins at `start` and was released. */
  changesOf(start: number, length: number): Replacement[] {
    return this.text.changesOf(start, length);
  }

  private get released(): number {
    return Math.min(this.sent, this.text.settled, this.placeOfRestored());
  }

  /** Where in the text as it was sent the released part of the other one ends. */
  private placeOfRestored(): number {
    const { replacements } = this.text;
    for (; this.passed < replacements.length; this.passed++) {
      const { start, end, text } = replacements[this.passed]!;
      const place = this.restored - this.grownBy;
      if (place < start + text.length) return Math.min(place, start);
      this.grownBy += text.length - (end - start);
    }
    return this.restored - this.grownBy;
  }
}
