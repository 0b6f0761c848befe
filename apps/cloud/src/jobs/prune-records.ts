import { SESSION_IDLE_MS } from '../flows/people/read-session.ts';
import { DEFAULT_RETENTION_DAYS } from '../storage/model/accounts.ts';
import type { Storage } from '../storage/storage.ts';

export interface PruneDeps {
  readonly storage: Pick<
    Storage,
    | 'idempotency'
    | 'events'
    | 'webhooks'
    | 'agentCalls'
    | 'scrapeJobs'
    | 'codeRepositories'
    | 'sessions'
    | 'accountLinks'
    | 'knownBrowsers'
    | 'mails'
    | 'invitations'
  >;
  readonly now: () => number;
  readonly log: { error(fields: object, message: string): void };
}

const EVERY_MS = 10 * 60_000;
const DAY_MS = 24 * 60 * 60_000;

/** Deletes what is kept only for a time, now and every ten minutes, until stopped. Several instances may do so. */
export function startPruning(deps: PruneDeps): { stop(): void } {
  const prune = (): void => {
    const nowMs = deps.now();
    const { storage } = deps;
    for (const [what, work] of [
      ['idempotency records', storage.idempotency.prune(nowMs)],
      ['events', storage.events.pruneExpired(nowMs, DEFAULT_RETENTION_DAYS)],
      ['webhook deliveries', storage.webhooks.prune(nowMs - 30 * DAY_MS)],
      ['tool calls of agents', storage.agentCalls.prune(nowMs - 90 * DAY_MS)],
      ['results of batches', storage.scrapeJobs.prune(nowMs - DAY_MS)],
      // A code host delivers again for three days.
      ['deliveries of code hosts', storage.codeRepositories.prune(nowMs - 7 * DAY_MS)],
      ['sessions', storage.sessions.prune(nowMs, nowMs - SESSION_IDLE_MS)],
      ['one-time links', storage.accountLinks.prune(nowMs)],
      ['known browsers', storage.knownBrowsers.prune(nowMs)],
      ['mails', storage.mails.prune(nowMs - 30 * DAY_MS)],
      ['invitations', storage.invitations.prune(nowMs - 30 * DAY_MS)],
    ] as const) {
      work.catch((err: unknown) => deps.log.error({ err }, `old ${what} could not be deleted`));
    }
  };
  prune();
  const timer = setInterval(prune, EVERY_MS).unref();
  return { stop: () => clearInterval(timer) };
}
