import type { FastifyBaseLogger } from 'fastify';

const DUPLICATE_SIGNAL_MS = 1_000;

/** SIGTERM or SIGINT ends this process once `close` has resolved; a second signal ends it immediately. */
export function drainOnSignal(log: FastifyBaseLogger, close: () => Promise<void>): void {
  let requestedAtMs: number | undefined;
  const stop = (signal: NodeJS.Signals): void => {
    if (requestedAtMs !== undefined) {
      // npm forwards the signal that the terminal also sends; only a later one is a second request.
      if (performance.now() - requestedAtMs > DUPLICATE_SIGNAL_MS) process.exit(1);
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
