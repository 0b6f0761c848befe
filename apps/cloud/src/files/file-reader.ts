import { Piscina } from 'piscina';
import type { WorkOwner } from '../fairness/fair-queue.ts';
import { createFairRunner, MAX_WAIT_MS, waitedTooLong } from '../fairness/fair-runner.ts';
import { type ExtractedFile, GatheredFile } from './file-reading.ts';
import type { Unread } from './file-text.ts';
import { MAX_CHARACTERS } from './reading-limits.ts';
import { readInTurn, type TurnEnd } from './reading-turn.ts';

export interface FileReader {
  /**
   * Returns the extracted texts of the files of one request, in order: for each file what was read within the limits,
   * and what was not read. Rejects only with service_unavailable, if the request waited too long for its turns.
   */
  read(files: readonly Buffer[], owner: WorkOwner): Promise<readonly ExtractedFile[]>;
  close(): Promise<void>;
}

export interface FileReaderOptions {
  readonly threads: number;
  /** CPU time for all files of a request together, without waiting. */
  readonly workMs: number;
  readonly maxWaitMs?: number;
}

/** After this much work the turn passes to others that wait. Doubled for a file that made no progress in that time. */
const FIRST_TURN_MS = 500;
const MAX_HEAP_MB = 1_024;

export function createFileReader({
  threads,
  workMs,
  maxWaitMs = MAX_WAIT_MS,
}: FileReaderOptions): FileReader {
  const runner = createFairRunner({ width: threads, maxWaitMs });
  let pool: Piscina | undefined;

  function startPool(): Piscina {
    pool ??= new Piscina({
      filename: new URL('./read-files-worker.ts', import.meta.url).href,
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: 60_000,
      // Otherwise an idle thread would sleep without closing its port.
      atomics: 'disabled',
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
      // Gives the event loop priority on a shared core. Only Linux has a priority per thread.
      ...(process.platform === 'linux' ? { niceIncrement: 5 } : {}),
    });
    return pool;
  }

  return {
    // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one turn after another, until every file has ended
    async read(files, owner) {
      const gathered = files.map(() => new GatheredFile());
      let waiting = files.map((bytes, index) => ({ bytes, index, turnMs: FIRST_TURN_MS, isAlone: false }));
      const left = { workMs, waitMs: maxWaitMs };
      while (waiting.length > 0) {
        const turn = waiting[0]!.isAlone ? waiting.slice(0, 1) : waiting;
        const later = waiting.slice(turn.length);
        const piecesBefore = gathered.map(({ pieces }) => pieces);
        const result = await inTurn(owner, left, () =>
          readInTurn(startPool(), {
            files: turn.map(({ bytes, index }) => ({ bytes, skip: gathered[index]!.pieces })),
            workMs: left.workMs,
            maxCharacters: MAX_CHARACTERS - charactersOf(gathered),
            isTimeToPause: (at, fileMs, turnMs) => {
              const isExpected = runner.waiting > 0;
              if (isExpected && at > 0 && turnMs >= FIRST_TURN_MS) return true;
              return fileMs >= (turn[at]?.turnMs ?? 0) && (at + 1 < turn.length || isExpected);
            },
            onPiece: (at, piece) => gathered[turn[at]!.index]!.add(piece),
          }),
        );
        left.workMs -= result.workMs;
        const [current, ...others] = turn.slice(result.finished);
        waiting = [...others, ...later];
        if (current === undefined) continue;
        const why = WHY[result.end];
        if (why === null) {
          const isStalled = gathered[current.index]!.pieces === piecesBefore[current.index];
          waiting = [...others, ...later, { ...current, turnMs: current.turnMs * (isStalled ? 2 : 1) }];
          continue;
        }
        // What a damaged file left behind may fail only while the file after it is read.
        if (result.end === 'broken' && result.finished > 0) {
          waiting = [{ ...current, isAlone: true }, ...waiting];
          continue;
        }
        const endsAll = ENDS_ALL.has(result.end);
        for (const { index } of endsAll ? [current, ...waiting] : [current]) gathered[index]!.miss(why);
        if (endsAll) waiting = [];
      }
      return gathered.map((file) => file.reading());
    },
    async close() {
      await pool?.destroy();
    },
  };

  /** Runs `work` in the owner's turn and deducts the time that it waited. */
  async function inTurn<T>(owner: WorkOwner, left: { waitMs: number }, work: () => Promise<T>): Promise<T> {
    const requestedMs = performance.now();
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(waitedTooLong(maxWaitMs)), Math.max(0, left.waitMs));
    try {
      return await runner.run(
        owner,
        FIRST_TURN_MS,
        () => {
          clearTimeout(timer);
          left.waitMs -= performance.now() - requestedMs;
          return work();
        },
        patience.signal,
      );
    } finally {
      clearTimeout(timer);
    }
  }
}

const charactersOf = (files: readonly GatheredFile[]): number =>
  files.reduce((sum, { characters }) => sum + characters, 0);

/** The unread part that each end causes for the current file; null if reading continues. */
const WHY: Readonly<Record<TurnEnd, Unread | null>> = {
  done: null,
  paused: null,
  overrun: { reason: 'too_large', why: 'reading it takes too long', mayHold: 'text' },
  full: { reason: 'too_large', why: 'it contains more text than the limit', mayHold: 'text' },
  memory: { reason: 'too_large', why: 'reading it takes too much memory', mayHold: 'text' },
  stuck: { reason: 'too_large', why: 'reading it did not finish', mayHold: 'text' },
  broken: { reason: 'undecodable', why: 'it is damaged', mayHold: 'text' },
  no_thread: { reason: 'extractor_unavailable', why: 'it cannot be read right now', mayHold: 'text' },
};
/** Ends that apply to the whole request. */
const ENDS_ALL: ReadonlySet<TurnEnd> = new Set(['overrun', 'full', 'no_thread']);
