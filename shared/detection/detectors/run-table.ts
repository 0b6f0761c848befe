/** The most runs that are stored of a text; further ones are ignored. */
const MAX_RUNS = 1 << 14;
const TABLE_MASK = MAX_RUNS * 2 - 1;

/** The word runs of one text, by hash; open addressing. Borrowed from a workspace. */
export class RunTable {
  private readonly runs = new Int32Array(TABLE_MASK + 1);
  /** The turn in which each slot was filled; slots of earlier turns are empty. */
  private readonly turns = new Uint32Array(TABLE_MASK + 1);
  private turn = 0;
  private count = 0;

  clear(): void {
    this.turn = (this.turn + 1) >>> 0;
    this.count = 0;
  }

  add(hash: number): void {
    if (this.count >= MAX_RUNS) return;
    const { runs, turns, turn } = this;
    let at = hash & TABLE_MASK;
    while (turns[at] === turn && runs[at] !== hash) at = (at + 1) & TABLE_MASK;
    turns[at] = turn;
    runs[at] = hash;
    this.count++;
  }

  has(hash: number): boolean {
    const { runs, turns, turn } = this;
    for (let at = hash & TABLE_MASK; turns[at] === turn; at = (at + 1) & TABLE_MASK)
      if (runs[at] === hash) return true;
    return false;
  }

  get isEmpty(): boolean {
    return this.count === 0;
  }
}
