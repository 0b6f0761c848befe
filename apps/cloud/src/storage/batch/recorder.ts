import type { Admission, AdmissionResult } from '../model/usage.ts';
import type { StorageLog } from '../storage.ts';
import { StorageError } from '../storage-error.ts';
import { dayOf } from '../stored-values.ts';
import type { Batch, BatchWriter, PreparedDecision } from './batch.ts';
import { Counts } from './counts.ts';

/** Bounds how long one batch occupies the event loop and the locks. */
const MAX_BATCH = 256;
const MAX_TURNS = 4;
/** Maximum delay of counts that no request waits for. */
const LAZY_MS = 250;
const TOUCH_EVERY_MS = 60_000;

interface Waiting<T, R> {
  readonly item: T;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Group commit: writes requested in one turn of the event loop share a transaction. While a transaction runs, the
 * next one collects writes.
 */
export interface Recorder {
  record(decision: PreparedDecision): Promise<void>;
  admit(admission: Admission): Promise<AdmissionResult>;
  touch(keyId: string, atMs: number): void;
  /** Resolves once every earlier write is committed; rejects if that failed. */
  flush(): Promise<void>;
}

interface RecorderDeps {
  readonly writer: BatchWriter;
  readonly log: StorageLog;
  readonly onGrown: (grown: ReadonlyMap<string, number>) => void;
}

export function createRecorder(deps: RecorderDeps): Recorder {
  let decisions: Waiting<PreparedDecision, void>[] = [];
  let admissions: Waiting<Admission, AdmissionResult>[] = [];
  let flushes: Waiting<null, void>[] = [];
  const counts = new Counts();
  const touches = createTouches();
  const write = createWrite(deps, counts, touches, scheduleLazily);
  let isScheduled = false;
  let isRunning = false;
  let lazyTimer: NodeJS.Timeout | undefined;

  function schedule(): void {
    if (isScheduled || isRunning) return;
    isScheduled = true;
    setImmediate(gather, 0, MAX_TURNS);
  }

  /** A commit costs about the same for one write as for many, so it waits a few event-loop turns while more arrive. */
  function gather(before: number, turnsLeft: number): void {
    const waiting = decisions.length + admissions.length;
    if (waiting < 2 || waiting === before || turnsLeft === 0) run();
    else setImmediate(gather, waiting, turnsLeft - 1);
  }

  function scheduleLazily(): void {
    lazyTimer ??= setTimeout(schedule, LAZY_MS).unref();
  }

  async function run(): Promise<void> {
    isScheduled = false;
    isRunning = true;
    clearTimeout(lazyTimer);
    lazyTimer = undefined;
    const nowDecisions = decisions.slice(0, MAX_BATCH);
    decisions = decisions.slice(MAX_BATCH);
    const nowAdmissions = admissions.slice(0, MAX_BATCH);
    admissions = admissions.slice(MAX_BATCH);
    const isLast = decisions.length === 0 && admissions.length === 0;
    const nowFlushes = isLast ? flushes : [];
    if (isLast) flushes = [];
    await write(nowDecisions, nowAdmissions, nowFlushes);
    isRunning = false;
    if (decisions.length > 0 || admissions.length > 0 || flushes.length > 0) schedule();
  }

  return {
    record(item) {
      return new Promise((resolve, reject) => {
        decisions.push({ item, resolve, reject });
        schedule();
      });
    },
    admit(item) {
      if (item.limit === null || item.device) {
        counts.addRequest(item.accountId, item.device, dayOf(item.nowMs));
        scheduleLazily();
        return Promise.resolve({ admitted: true, used: null });
      }
      return new Promise((resolve, reject) => {
        admissions.push({ item, resolve, reject });
        schedule();
      });
    },
    touch(keyId, atMs) {
      if (touches.note(keyId, atMs)) scheduleLazily();
    },
    flush() {
      return new Promise((resolve, reject) => {
        flushes.push({ item: null, resolve, reject });
        schedule();
      });
    },
  };
}

type Write = (
  decisions: readonly Waiting<PreparedDecision, void>[],
  admissions: readonly Waiting<Admission, AdmissionResult>[],
  flushes: readonly Waiting<null, void>[],
) => Promise<void>;

/** Writes a batch with the counts collected so far, and settles the promises of its callers. */
function createWrite(
  { writer, log, onGrown }: RecorderDeps,
  counts: Counts,
  touches: ReturnType<typeof createTouches>,
  scheduleLazily: () => void,
): Write {
  const write: Write = async (decisions, admissions, flushes) => {
    const batch: Batch = {
      decisions: decisions.map((waiting) => waiting.item),
      admissions: admissions.map((waiting) => waiting.item),
      increments: counts.take(),
      touches: touches.take(),
    };
    try {
      const result = await writer.write(batch);
      onGrown(result.grown);
      for (const waiting of decisions) waiting.resolve();
      for (const [index, waiting] of admissions.entries()) waiting.resolve(result.admissions[index]!);
      for (const waiting of flushes) waiting.resolve();
    } catch (error) {
      keepCounts(batch);
      if (isRejected(error) && decisions.length > 1) await writeAlone(decisions, admissions, flushes);
      else reject(error, decisions, admissions, flushes);
    }
  };

  /** Nothing of the batch was written: counts that no request waits for are added to the next one. */
  function keepCounts(batch: Batch): void {
    for (const increment of batch.increments) counts.add(increment);
    touches.putBack(batch.touches);
  }

  function reject(error: unknown, ...[decisions, admissions, flushes]: Parameters<Write>): void {
    log('error', 'A batch could not be written', {
      cause: messageOf(error),
      decisions: decisions.length,
      admissions: admissions.length,
    });
    for (const waiting of [...decisions, ...admissions, ...flushes]) waiting.reject(error);
    if (counts.size > 0) scheduleLazily();
  }

  /** One of the decisions cannot be stored; the others are written individually so that they do not fail with it. */
  async function writeAlone(...[decisions, ...others]: Parameters<Write>): Promise<void> {
    for (const waiting of decisions) await write([waiting], [], []);
    await write([], ...others);
  }

  return write;
}

const isRejected = (error: unknown) => error instanceof StorageError && error.code === 'rejected';
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

const NONE: ReadonlyMap<string, number> = new Map();

/** Last use of keys, recorded at most once a minute for each. */
function createTouches() {
  let waiting = new Map<string, number>();
  let noted = new Map<string, number>();
  return {
    /** Returns true if the use is to be written. */
    note(keyId: string, atMs: number): boolean {
      const last = noted.get(keyId);
      if (last !== undefined && atMs < last + TOUCH_EVERY_MS) return false;
      if (noted.size >= 100_000) noted = new Map();
      noted.set(keyId, atMs);
      waiting.set(keyId, atMs);
      return true;
    },
    take(): ReadonlyMap<string, number> {
      if (waiting.size === 0) return NONE;
      const taken = waiting;
      waiting = new Map();
      return taken;
    },
    putBack(taken: ReadonlyMap<string, number>): void {
      for (const [keyId, atMs] of taken) if (!waiting.has(keyId)) waiting.set(keyId, atMs);
    },
  };
}
