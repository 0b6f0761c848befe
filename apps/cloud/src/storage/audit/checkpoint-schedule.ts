import type { StorageLog } from '../storage.ts';

const EVERY_ROWS = 10_000;
const EVERY_MS = 10 * 60_000;

/** Schedules checkpoints: after a number of new rows in a chain, at an interval, and on shutdown. */
export interface CheckpointSchedule {
  noteGrown(organizationId: string, rows: number): void;
  /** Writes the remaining checkpoints of all chains that this process has extended. */
  finish(): Promise<void>;
}

export function createCheckpointSchedule(
  checkpoint: (organizationId: string) => Promise<unknown>,
  log: StorageLog,
): CheckpointSchedule {
  const grownBy = new Map<string, number>();
  let running: Promise<void> = Promise.resolve();
  const timer = setInterval(() => void writeAll(1), EVERY_MS).unref();

  function writeAll(atLeast: number): Promise<void> {
    running = running.then(async () => {
      for (const [organizationId, rows] of [...grownBy]) {
        if (rows < atLeast) continue;
        grownBy.delete(organizationId);
        await checkpoint(organizationId).catch((error: unknown) => putBack(organizationId, rows, error));
      }
    });
    return running;
  }

  function putBack(organizationId: string, rows: number, error: unknown): void {
    grownBy.set(organizationId, (grownBy.get(organizationId) ?? 0) + rows);
    const cause = error instanceof Error ? error.message : String(error);
    log('error', 'An audit checkpoint could not be written', { organizationId, cause });
  }

  return {
    noteGrown(organizationId, rows) {
      const before = grownBy.get(organizationId) ?? 0;
      grownBy.set(organizationId, before + rows);
      if (before < EVERY_ROWS && before + rows >= EVERY_ROWS) void writeAll(EVERY_ROWS);
    },
    async finish() {
      clearInterval(timer);
      await writeAll(1);
    },
  };
}
