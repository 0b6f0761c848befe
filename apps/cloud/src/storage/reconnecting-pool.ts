import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';

const RETRY_MS = 100;
/** A server that ends leaves so many dead connections at most: what can be done again is, until one is alive. */
export const MAX_CONNECTIONS = 10;

/** Connections of a server that may be away for a moment. */
export interface ReconnectingPool {
  /**
   * Retries while the server is away, up to the configured time since the connection was lost, so that no request
   * waits for a server that stays away. Does not retry before the first connection.
   */
  connect(): Promise<pg.PoolClient>;
  /** Cuts a connection after a while, unless what is returned is called before; that tells whether it was. */
  startQueryTimeout(client: pg.PoolClient): () => boolean;
}

/** `translate` puts what it throws into the words of storage. */
export function createPatientPool(
  pool: pg.Pool,
  { waitMs, queryTimeoutMs }: { readonly waitMs: number; readonly queryTimeoutMs: number },
  translate: (error: unknown) => unknown,
): ReconnectingPool {
  let lostSinceMs: number | undefined = Number.NEGATIVE_INFINITY;
  return {
    // A server that is gone without a word would hold its connections for a quarter of an hour.
    startQueryTimeout(client) {
      const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection;
      let isCut = false;
      const timer = setTimeout(() => {
        isCut = true;
        stream.destroy();
      }, queryTimeoutMs);
      return () => {
        clearTimeout(timer);
        return !isCut;
      };
    },
    async connect() {
      for (;;) {
        try {
          const client = await pool.connect();
          lostSinceMs = undefined;
          return client;
        } catch (error) {
          if (isConnectionError(error)) lostSinceMs ??= performance.now();
          if (!isConnectionError(error) || performance.now() - lostSinceMs! >= waitMs) throw translate(error);
        }
        await pause(RETRY_MS);
      }
    },
  };
}

/** Connection faults by Node's name; connection exceptions, shutdowns, a server that starts or has no room. */
const CONNECTION_ERRORS =
  /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|08...|57P0[1-3]|53300)$/;
const CUT_OFF = /^Connection terminated|connection error and is not queryable/;

/** Whether the server, or the way to it, is what failed: nothing was wrong with what was asked. */
export function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return CONNECTION_ERRORS.test('code' in error ? String(error.code) : '') || CUT_OFF.test(error.message);
}
