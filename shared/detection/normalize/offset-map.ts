/**
 * Maps ranges of a cleaned text to the original, in order. A straight range maps character by character; all characters
 * of any other range map to one offset.
 */
export class OffsetMap {
  private cleaned = new Int32Array(16);
  /** Offset in the original; its complement for a range that is not straight. */
  private original = new Int32Array(16);
  private count = 0;

  add(cleaned: number, original: number, straight: boolean): void {
    const { count } = this;
    if (count === this.cleaned.length) {
      this.cleaned = widened(this.cleaned);
      this.original = widened(this.original);
    }
    this.cleaned[count] = cleaned;
    this.original[count] = straight ? original : ~original;
    this.count = count + 1;
  }

  originalAt(index: number): number {
    const { cleaned } = this;
    let low = 0;
    let high = this.count - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (cleaned[middle]! <= index) low = middle;
      else high = middle - 1;
    }
    const original = this.original[low] ?? 0;
    return original < 0 ? ~original : original + Math.max(0, index - (cleaned[low] ?? 0));
  }
}

function widened(numbers: Int32Array): Int32Array<ArrayBuffer> {
  const wider = new Int32Array(numbers.length * 2);
  wider.set(numbers);
  return wider;
}
