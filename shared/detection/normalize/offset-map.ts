/**
 * Where stretches of a cleaned text come from, in order. A straight stretch runs on character by character;
 * all characters of another stand for one place.
 */
export class OffsetMap {
  private readonly cleaned: number[] = [];
  /** The place in the original; its complement for a stretch that is not straight. */
  private readonly original: number[] = [];

  add(cleaned: number, original: number, straight: boolean): void {
    this.cleaned.push(cleaned);
    this.original.push(straight ? original : ~original);
  }

  originalAt(index: number): number {
    const { cleaned } = this;
    let low = 0;
    let high = cleaned.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (cleaned[middle]! <= index) low = middle;
      else high = middle - 1;
    }
    const original = this.original[low] ?? 0;
    return original < 0 ? ~original : original + Math.max(0, index - (cleaned[low] ?? 0));
  }
}
