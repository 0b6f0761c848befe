import { closeExceptions, type DecideDeps } from '../flows/approvals/decide-exception.ts';
import type { Storage } from '../storage/storage.ts';

export interface CloseExceptionsDeps extends DecideDeps {
  readonly storage: Pick<Storage, 'transaction' | 'exceptions'>;
  readonly log: { error(fields: object, message: string): void };
}

const EVERY_MS = 1_000;

/** Writes down the end of exceptions that ran out, until stopped. Several instances may do so. */
export function startClosingExceptions(
  deps: CloseExceptionsDeps,
  everyMs: number = EVERY_MS,
): { stop(): Promise<void> } {
  let running: Promise<void> | undefined;
  let hasFailed = false;
  const close = async (): Promise<void> => {
    try {
      while ((await closeExceptions(deps)) > 0);
      hasFailed = false;
    } catch (error) {
      // The next second tries again; the log says so once.
      if (!hasFailed) deps.log.error({ err: error }, 'exceptions that ran out could not be written down');
      hasFailed = true;
    } finally {
      running = undefined;
    }
  };
  const timer = setInterval(() => {
    running ??= close();
  }, everyMs).unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
