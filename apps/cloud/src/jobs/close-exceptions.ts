import { closeExceptions, type DecideDeps } from '../flows/approvals/decide-exception.ts';
import type { Storage } from '../storage/storage.ts';
import { type RepeatedWork, repeat } from './repeat.ts';

export interface CloseExceptionsDeps extends DecideDeps, Pick<RepeatedWork, 'log'> {
  readonly storage: Pick<Storage, 'transaction' | 'exceptions'>;
}

const EVERY_MS = 1_000;

/** Writes down the end of exceptions that ran out, until stopped. Several instances may do so. */
export function startClosingExceptions(
  deps: CloseExceptionsDeps,
  everyMs: number = EVERY_MS,
): { stop(): Promise<void> } {
  const work = async (): Promise<void> => {
    while ((await closeExceptions(deps)) > 0);
  };
  return repeat({ work, everyMs, log: deps.log, fault: 'exceptions that ran out could not be written down' });
}
