import type { Storage } from '../storage/storage.ts';
import type { Clock } from './clock.ts';

export interface ReadinessDeps {
  readonly storage: Pick<Storage, 'ping'>;
  readonly clock: Clock;
  readonly log: { warn(fields: object, message: string): void; info(message: string): void };
}

/** A result is reused for this long: any client may call the probe, and each run is a write. */
const REUSE_MS = 500;
/** Timeout after which the database is considered unavailable. */
const PING_TIMEOUT_MS = 2_000;

/**
 * Returns a probe of the parts that requests need. It returns the failing parts by name, with a message that may be
 * public; the cause is logged.
 */
export function createReadiness({
  storage,
  clock,
  log,
}: ReadinessDeps): () => Promise<Readonly<Record<string, string>>> {
  let last: { readonly atMs: number; readonly problems: Promise<Record<string, string>> } | undefined;

  let isReady = true;

  async function findProblems(): Promise<Record<string, string>> {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error('no answer')), PING_TIMEOUT_MS);
    try {
      await Promise.race([storage.ping(), late.promise]);
      if (!isReady) log.info('ready again');
      isReady = true;
      return {};
    } catch (error) {
      if (isReady) log.warn({ err: error }, 'not ready: nothing can be stored');
      isReady = false;
      const isFull = (error as { code?: unknown }).code === 'disk_full';
      return {
        storage: isFull ? 'The disk of the database is full or nearly full.' : 'The database cannot be used.',
      };
    } finally {
      clearTimeout(timer);
    }
  }

  return () => {
    const atMs = clock.elapsed();
    if (last === undefined || atMs - last.atMs >= REUSE_MS) last = { atMs, problems: findProblems() };
    return last.problems;
  };
}
