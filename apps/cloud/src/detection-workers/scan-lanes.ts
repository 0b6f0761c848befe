import { CodedError } from '@csg/shared/contract';
import { UnscannableTextError } from '@csg/shared/detection';
import type { WorkOwner } from '../fairness/fair-queue.ts';
import { createFairRunner } from '../fairness/fair-runner.ts';
import { createScanThread, type ScanThreadOptions } from './scan-thread.ts';
import type { ScanTask } from './scan-worker.ts';

export interface ScanLanes {
  /**
   * Runs a task of about `cost` characters on a thread of its size class when it is the owner's turn. Rejects with
   * UnscannableTextError if the text itself cannot be scanned, with service_unavailable if its turn does not come in
   * time, and with any other error only if the engine cannot run.
   */
  run<T>(owner: WorkOwner, cost: number, task: ScanTask, plain: ScanTask): Promise<T>;
  /** Runs a task on every thread of the first lane, which then stay ready. */
  warmUp(task: ScanTask): Promise<void>;
  close(): Promise<void>;
}

export interface ScanLanesOptions extends Omit<ScanThreadOptions, 'niceness' | 'staysReady'> {
  /** Number of threads in each lane. */
  readonly threads: number;
}

/**
 * Texts wait only for texts of their own size class, and the scheduler prefers threads of smaller classes. A task
 * takes 10 to 30 ms in the first lane, up to about 300 ms in the second, and up to the deadline in the third.
 */
const LANES = [
  { maxCost: 150_000, niceness: 5, staysReady: true },
  { maxCost: 1_500_000, niceness: 10, staysReady: false },
  { maxCost: Number.POSITIVE_INFINITY, niceness: 15, staysReady: false },
] as const;

const NO_OWNER: WorkOwner = { organizationId: '', deviceId: null };

export function createScanLanes({ threads, ...options }: ScanLanesOptions): ScanLanes {
  const lanes = LANES.map(({ maxCost, ...lane }) => {
    const all = Array.from({ length: threads }, () => createScanThread({ ...options, ...lane }));
    return { maxCost, all, free: [...all], runner: createFairRunner({ width: threads }) };
  });
  return {
    run(owner, cost, task, plain) {
      const { runner, free } = lanes.find(({ maxCost }) => cost <= maxCost)!;
      return runner.run(owner, cost, async () => {
        const thread = free.pop()!;
        try {
          return (await thread
            .run(task)
            .catch((cause) => attributeFailure(cause, () => thread.run(plain)))) as never;
        } finally {
          free.push(thread);
        }
      });
    },
    async warmUp(task) {
      const { runner, all, free } = lanes[0]!;
      await Promise.all(
        all.map(() =>
          runner.run(NO_OWNER, 1, async () => {
            const thread = free.pop()!;
            await thread.run(task).finally(() => free.push(thread));
          }),
        ),
      );
    },
    async close() {
      await Promise.all(lanes.flatMap(({ all }) => all.map((thread) => thread.close())));
    },
  };
}

/** Attributes a failure to the text if the engine can still scan a plain text. */
export async function attributeFailure(cause: unknown, scanPlain: () => unknown): Promise<never> {
  if (cause instanceof UnscannableTextError || cause instanceof CodedError) throw cause;
  try {
    await scanPlain();
  } catch {
    throw cause;
  }
  throw new UnscannableTextError('failed', { cause });
}
