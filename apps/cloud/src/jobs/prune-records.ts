import { SESSION_IDLE_MS } from '../flows/accounts/read-session.ts';
import type { Clock } from '../flows/clock.ts';
import { DEFAULT_RETENTION_DAYS } from '../storage/model/accounts.ts';
import type { Storage } from '../storage/storage.ts';

export interface PruneDependencies {
  readonly storage: Pick<
    Storage,
    | 'audit'
    | 'idempotency'
    | 'events'
    | 'deliveries'
    | 'agentCalls'
    | 'conversationNotes'
    | 'scrapeJobs'
    | 'codeRepositories'
    | 'sessions'
    | 'accountLinks'
    | 'knownBrowsers'
    | 'singleSignOn'
    | 'notifications'
    | 'emails'
    | 'invitations'
  >;
  readonly clock: Clock;
  /** How long the addresses of clients stand beside the audit log. */
  readonly auditAddressDays: number;
  readonly log: { error(fields: object, message: string): void };
}

const DAY_MS = 24 * 60 * 60_000;

/** Deletes records whose retention has ended. Failures are logged and do not stop the other deletions. */
export async function pruneRecords({
  storage,
  clock,
  log,
  auditAddressDays,
}: PruneDependencies): Promise<void> {
  const nowMs = clock.now();
  const prunings: Readonly<Record<string, () => Promise<unknown>>> = {
    'idempotency records': () => storage.idempotency.prune(nowMs),
    events: () => storage.events.pruneExpired(nowMs, DEFAULT_RETENTION_DAYS),
    'addresses of clients': () => storage.audit.pruneAddresses(nowMs - auditAddressDays * DAY_MS),
    'webhook deliveries': () => storage.deliveries.prune(nowMs - 30 * DAY_MS),
    'tool calls of agents': () => storage.agentCalls.prune(nowMs - 90 * DAY_MS),
    'notes of conversations': () => storage.conversationNotes.prune(nowMs - 90 * DAY_MS),
    'results of batches': () => storage.scrapeJobs.prune(nowMs - DAY_MS),
    // A code host retries deliveries for three days.
    'deliveries of code hosts': () => storage.codeRepositories.prune(nowMs - 7 * DAY_MS),
    sessions: () => storage.sessions.prune(nowMs, nowMs - SESSION_IDLE_MS),
    'one-time links': () => storage.accountLinks.prune(nowMs),
    'known browsers': () => storage.knownBrowsers.prune(nowMs),
    'single sign-ons': () => storage.singleSignOn.prune(nowMs),
    'marks of notifications': () => storage.notifications.prune(nowMs - 7 * DAY_MS),
    mails: () => storage.emails.prune(nowMs - 30 * DAY_MS),
    invitations: () => storage.invitations.prune(nowMs - 30 * DAY_MS),
  };
  await Promise.all(
    Object.entries(prunings).map(([what, prune]) =>
      prune().catch((err: unknown) => log.error({ err }, `old ${what} could not be deleted`)),
    ),
  );
}
