import { RunTable } from './detectors/run-table.ts';
import { ContextTables } from './model/context.ts';
import { FeatureList } from './model/feature-list.ts';
import { NgramTables } from './model/ngrams.ts';
import { UnitScores } from './model/score.ts';
import { CodeBuffer, type Text } from './read/codes.ts';
import { readText } from './read/read-text.ts';
import { READ_AHEAD, TokenizedText } from './read/tokenized-text.ts';

/** Tables in which one piece of a text is read and scored. */
export class ScoringTables {
  readonly size: number;
  readonly reading: TokenizedText;
  readonly features: FeatureList;
  readonly context: ContextTables;
  readonly scores: UnitScores;
  readonly ngrams: NgramTables;

  /** Has room for a piece of `size` UTF-16 units. */
  constructor(size: number) {
    this.size = size;
    this.reading = new TokenizedText(size);
    this.features = new FeatureList(size);
    this.context = new ContextTables(size);
    this.scores = new UnitScores(size);
    this.ngrams = new NgramTables(size);
  }
}

/** Smaller tables are not worth a second allocation. UTF-16 units. */
const MIN_SIZE = 512;

/**
 * Reusable memory for scans, so that reading allocates next to nothing. A caller that scans often keeps one and passes
 * it to every scan; between two scans it contains nothing of a text. Each buffer is lent to one reader until that
 * returns, so readers may call each other and themselves.
 */
export class Workspace {
  private readonly buffers: CodeBuffer[] = [];
  private readonly readings: TokenizedText[] = [];
  private readonly tables: ScoringTables[] = [];
  private readonly runs: RunTable[] = [];

  /** Calls `read` with the codes of `string`, which are valid until it returns. */
  withText<Result>(string: string, read: (text: Text) => Result): Result {
    const buffer = this.buffers.pop() ?? new CodeBuffer(Math.max(MIN_SIZE, string.length));
    try {
      return read(buffer.write(string));
    } finally {
      if (buffer.clear(string.length)) this.buffers.push(buffer);
    }
  }

  /** Calls `read` with the words and the codes of the first `most` UTF-16 units of `string`. */
  withWords<Result>(
    string: string,
    most: number,
    read: (reading: TokenizedText, text: Text) => Result,
  ): Result {
    const head = string.length > most ? string.slice(0, most + READ_AHEAD) : string;
    const size = Math.min(string.length, most);
    const buffer = this.buffers.pop() ?? new CodeBuffer(Math.max(MIN_SIZE, head.length));
    const reading = take(this.readings, size, makeReading);
    try {
      const text = buffer.write(head);
      readText(text, 0, size, reading, false);
      return read(reading, text);
    } finally {
      this.readings.push(reading);
      if (buffer.clear(head.length)) this.buffers.push(buffer);
    }
  }

  /** Calls `read` with tables for the words of a piece of at most `size` UTF-16 units. */
  withReading<Result>(size: number, read: (reading: TokenizedText) => Result): Result {
    const reading = take(this.readings, size, makeReading);
    try {
      return read(reading);
    } finally {
      this.readings.push(reading);
    }
  }

  /** Calls `read` with tables to score a piece of at most `size` UTF-16 units. */
  withTables<Result>(size: number, read: (tables: ScoringTables) => Result): Result {
    const tables = take(this.tables, size, makeTables);
    try {
      return read(tables);
    } finally {
      this.tables.push(tables);
    }
  }

  /** Calls `read` with a table for the runs of words of a text. */
  withRuns<Result>(read: (runs: RunTable) => Result): Result {
    const runs = this.runs.pop() ?? new RunTable();
    try {
      return read(runs);
    } finally {
      this.runs.push(runs);
    }
  }
}

const makeReading = (size: number) => new TokenizedText(size);
const makeTables = (size: number) => new ScoringTables(size);

/** Takes the last of `free` if it is large enough, else replaces it with a new one. */
function take<Table extends { readonly size: number }>(
  free: Table[],
  size: number,
  make: (size: number) => Table,
): Table {
  const last = free.pop();
  return last !== undefined && last.size >= size ? last : make(roomFor(size));
}

/** Returns the next power of two. */
function roomFor(size: number): number {
  return Math.max(MIN_SIZE, 2 ** Math.ceil(Math.log2(Math.max(1, size))));
}
