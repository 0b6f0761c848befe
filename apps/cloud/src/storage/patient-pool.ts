import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';

const ASK_AGAIN_MS = 100;
/** A server that ends leaves so many dead connections at most: what can be done again is, until one is alive. */
export const MOST_CONNECTIONS = 10;

/** Connections of a server that may be away for a moment. */
export interface PatientPool {
  /**
   * While the server is away it is asked again, until it has been away for as long as is waited: counted from when it
   * was lost, so that nobody waits for one that stays away. Nothing is waited for before the first connection.
   */
  connect(): Promise<pg.PoolClient>;
  /** Cuts a connection after a while, unless what is returned is called before; that tells whether it was. */
  cutLate(client: pg.PoolClient): () => boolean;
}

/** `translate` puts what it throws into the words of storage. */
export function createPatientPool(
  pool: pg.Pool,
  { waitMs, answerMs }: { readonly waitMs: number; readonly answerMs: number },
  translate: (error: unknown) => unknown,
): PatientPool {
  let awaySinceMs: number | undefined = Number.NEGATIVE_INFINITY;
  return {
    // A server that is gone without a word would hold its connections for a quarter of an hour.
    cutLate(client) {
      const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection;
      let isCut = false;
      const timer = setTimeout(() => {
        isCut = true;
        stream.destroy();
      }, answerMs);
      return () => {
        clearTimeout(timer);
        return !isCut;
      };
    },
    async connect() {
      for (;;) {
        try {
          const client = await pool.connect();
          awaySinceMs = undefined;
          return client;
        } catch (error) {
          if (isAway(error)) awaySinceMs ??= performance.now();
          if (!isAway(error) || performance.now() - awaySinceMs! >= waitMs) throw translate(error);
        }
        await pause(ASK_AGAIN_MS);
      }
    },
  };
}

/** Connection faults by Node's name; connection exceptions, shutdowns, a server that starts or has no room. */
const AWAY =
  /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|08...|57P0[1-3]|53300)$/;
const CUT_OFF = /^Connection terminated|connection error and is not queryable/;

/** Whether the server, or the way to it, is what failed: nothing was wrong with what was asked. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return AWAY.test('code' in error ? String(error.code) : '') || CUT_OFF.test(error.message);
}
