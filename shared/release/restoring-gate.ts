import type { TextGate } from '../detection/index.ts';
import { PlaceholderText, type RestoreValue } from '../providers/index.ts';
import type { Replacement } from '../text/index.ts';

/** The gates of one text as the provider sent it, and with restored values. */
export interface GatesOfText {
  readonly sent: TextGate;
  readonly restored: TextGate;
}

/**
 * Determines how much of a text with restored values can be released: no byte that is blocked in either version, and no
 * part of a placeholder before its replacement is known.
 */
export class RestoringGate implements TextGate {
  private readonly gates: GatesOfText;
  private readonly text: PlaceholderText;
  private sent = 0;
  private restored = 0;
  /** The number of replacements before the released position, and by how much they lengthened the text. */
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

  /** Returns the replacements in a released piece that begins at `start`. */
  changesOf(start: number, length: number): Replacement[] {
    return this.text.changesOf(start, length);
  }

  private get released(): number {
    return Math.min(this.sent, this.text.settled, this.placeOfRestored());
  }

  /** Maps the end of the released part of the restored text to the text as sent. */
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
