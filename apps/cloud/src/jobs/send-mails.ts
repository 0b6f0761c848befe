import { setTimeout as delay } from 'node:timers/promises';
import { type SendMailsDeps, sendMails } from '../flows/people/send-mails.ts';

export interface SendMailsJobDeps extends SendMailsDeps {
  readonly log: SendMailsDeps['log'] & { error(fields: object, message: string): void };
}

const EVERY_MS = 1_000;
/** A mail server that stalls does not hold up a shutdown: what was under way is sent again after its lease. */
const STOP_WITHIN_MS = 2_000;

/** Sends what waits in the outbox, until stopped. Several instances may do so: each mail is claimed by one. */
export function startSendingMails(
  deps: SendMailsJobDeps,
  everyMs: number = EVERY_MS,
): { stop(): Promise<void> } {
  let running: Promise<void> | undefined;
  let hasFailed = false;
  let stopped = false;
  const send = async (): Promise<void> => {
    try {
      while ((await sendMails(deps, () => stopped)) > 0 && !stopped);
      hasFailed = false;
    } catch (error) {
      // The next second tries again; the log says so once.
      if (!hasFailed && !stopped) deps.log.error({ err: error }, 'the outbox of mails could not be read');
      hasFailed = true;
    } finally {
      running = undefined;
    }
  };
  const timer = setInterval(() => {
    running ??= send();
  }, everyMs).unref();
  return {
    async stop() {
      stopped = true;
      clearInterval(timer);
      deps.mailer.close();
      await Promise.race([running, delay(STOP_WITHIN_MS, undefined, { ref: false })]);
    },
  };
}
