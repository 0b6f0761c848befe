import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';

const RETRY_MS = 100;
/** Dead connections that a stopped server can leave in the pool: repeatable statements try until one works. */
export const MAX_CONNECTIONS = 10;

/** Connections to a server that may be briefly unavailable. */
export interface ReconnectingPool {
  /**
   * Retries while the server is unavailable, for the configured time since the connection was lost, so that no request
   * waits for a server that stays down. Does not retry before the first connection.
   */
  connect(): Promise<pg.PoolClient>;
  /**
   * Closes the connection after a timeout unless the returned function is called first; it returns false if closed.
   */
  startQueryTimeout(client: pg.PoolClient): () => boolean;
}

/** `translate` maps errors to StorageError. */
export function createReconnectingPool(
  pool: pg.Pool,
  { waitMs, queryTimeoutMs }: { readonly waitMs: number; readonly queryTimeoutMs: number },
  translate: (error: unknown) => unknown,
): ReconnectingPool {
  let lostSinceMs: number | undefined = Number.NEGATIVE_INFINITY;
  return {
    // Without this, a server that vanishes silently would block its connections for a quarter of an hour.
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

/**
 * Node's connection errors, then SQLSTATEs: connection exceptions, shutdown, a server that is starting or
 * has too many connections.
 */
const CONNECTION_ERRORS =
  /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|08...|57P0[1-3]|53300)$/;
const CUT_OFF = /^Connection terminated|connection error and is not queryable/;

/** Returns true if the server or the connection failed, not the statement itself. */
export function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return CONNECTION_ERRORS.test('code' in error ? String(error.code) : '') || CUT_OFF.test(error.message);
}
