import type { FastifyBaseLogger } from 'fastify';

const IMPATIENT_MS = 1_000;

/** SIGTERM or SIGINT ends this process when `close` has resolved; a second one ends it at once. */
export function drainOnSignal(log: FastifyBaseLogger, close: () => Promise<void>): void {
  let requestedAtMs: number | undefined;
  const stop = (signal: NodeJS.Signals): void => {
    if (requestedAtMs !== undefined) {
      // npm hands on the signal that the terminal sent too; only a later one says "now".
      if (performance.now() - requestedAtMs > IMPATIENT_MS) process.exit(1);
      return;
    }
    requestedAtMs = performance.now();
    log.info({ signal }, 'draining');
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'the shutdown failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
