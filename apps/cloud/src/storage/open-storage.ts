import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { appendAudit } from './audit/append-audit.ts';
import { createAudit } from './audit/audit.ts';
import { createCheckpointFile } from './audit/checkpoint-file.ts';
import { createCheckpointSchedule } from './audit/checkpoint-schedule.ts';
import { prepareDecision } from './batch/prepare-decision.ts';
import { createRecorder } from './batch/recorder.ts';
import { migrate } from './migrate.ts';
import { type OpenVault, openVault } from './open-vault.ts';
import { createAccountLinks } from './repositories/account-links.ts';
import { createAgentCalls, createSessionTaints } from './repositories/agent-calls.ts';
import { createCodeRepositories } from './repositories/code-repositories.ts';
import { createDeletions } from './repositories/deletions.ts';
import { createDevices } from './repositories/devices.ts';
import { createDirectory } from './repositories/directory.ts';
import { createEnrollments } from './repositories/enrollments.ts';
import { createErasures } from './repositories/erasures.ts';
import { createEventMarks } from './repositories/event-marks.ts';
import { createEventTallies } from './repositories/event-tallies.ts';
import { createEvents } from './repositories/events.ts';
import { createExceptions } from './repositories/exceptions.ts';
import { createFleetSettings } from './repositories/fleet-settings.ts';
import { createAnswerKeeper, createIdempotency, type IdempotencyDeps } from './repositories/idempotency.ts';
import { createInvitations } from './repositories/invitations.ts';
import { createKeys, type KeysDependencies } from './repositories/keys.ts';
import { createKnownBrowsers } from './repositories/known-browsers.ts';
import { createMails } from './repositories/mails.ts';
import { createMasterKeyStore } from './repositories/master-keys.ts';
import { createMembers } from './repositories/members.ts';
import { createOrganizations } from './repositories/organizations.ts';
import { createPolicies } from './repositories/policies.ts';
import { createProjects } from './repositories/projects.ts';
import { createScrapeJobs } from './repositories/scrape-jobs.ts';
import { createSecondFactors } from './repositories/second-factors.ts';
import { createSecurityTestRuns } from './repositories/security-test-runs.ts';
import { createSessions } from './repositories/sessions.ts';
import { createSubscriptions } from './repositories/subscriptions.ts';
import { createToolLists } from './repositories/tool-lists.ts';
import { createToolRequests } from './repositories/tool-requests.ts';
import { createToolReviews } from './repositories/tool-reviews.ts';
import { createUsage } from './repositories/usage.ts';
import { createUsageAlerts } from './repositories/usage-alerts.ts';
import { createUsers } from './repositories/users.ts';
import { createWebhooks } from './repositories/webhooks.ts';
import { openEngine, type SqlGaps } from './sql-gaps.ts';
import type { Repositories, Storage, StorageLog, StorageOptions } from './storage.ts';
import { StorageError } from './storage-error.ts';
import { CHECKPOINT_FILE, DATABASE_FILE, writeBackup } from './write-backup.ts';

const DATABASE_WAIT_MS = 5_000;
const DATABASE_ANSWER_MS = 30_000;
const IDEMPOTENCY_BUDGET_BYTES = 256 << 20;

/** Opens the database, brings its schema up to date under a lock, and refuses one that is newer than this build. */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const { dataDir, now, databaseUrl } = options;
  const log: StorageLog = options.log ?? (() => {});
  const masterKeys = { current: options.masterKey, previous: options.previousKeys ?? [] };
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const engine = await openEngine({
    ...(databaseUrl === undefined ? {} : { databaseUrl }),
    waitMs: options.databaseWaitMs ?? DATABASE_WAIT_MS,
    answerMs: options.databaseAnswerMs ?? DATABASE_ANSWER_MS,
    sqliteFile: join(dataDir, DATABASE_FILE),
    onIdleFault: (error) => log('warn', 'A database connection was lost', { cause: String(error) }),
  });
  const { db, gaps } = engine;
  let opened: OpenVault;
  try {
    const ran = await migrate(db, gaps);
    if (ran.length > 0) log('info', 'The database schema was brought up to date', { migrations: ran });
    opened = await openVault(db, gaps, masterKeys, now());
  } catch (error) {
    await engine.close();
    throw error;
  }

  const { vault, firstKeyId } = opened;
  const file = createCheckpointFile(join(dataDir, CHECKPOINT_FILE));
  const onGrown = (organizationId: string): void => schedule.noteGrown(organizationId, 1);
  const audit = createAudit({
    db,
    gaps,
    vault,
    file,
    now,
    onGrown,
  });
  const schedule = createCheckpointSchedule((organizationId) => audit.checkpoint(organizationId), log);
  const recorder = createRecorder({
    writer: engine.createBatchWriter(vault),
    log,
    onGrown: (grown) => {
      for (const [organizationId, rows] of grown) schedule.noteGrown(organizationId, rows);
    },
  });
  const idempotencyBudgetBytes = options.idempotencyBudgetBytes ?? IDEMPOTENCY_BUDGET_BYTES;
  const deps = { db, vault, now, idempotencyBudgetBytes };
  const idempotency = createIdempotency(deps, log);
  let closing: Promise<void> | undefined;

  return {
    ...createRepositories({ ...deps, touch: recorder.touch }, gaps),
    audit,
    scrapeJobs: createScrapeJobs(deps, gaps),
    agentCalls: createAgentCalls(deps),
    sessionTaints: createSessionTaints(deps),
    usage: createUsage(deps, recorder),
    events: createEvents({ ...deps, gaps, onGrown }),
    eventTallies: createEventTallies(deps),
    decisions: { record: async (record) => await recorder.record(prepareDecision(record, now())) },
    idempotency,
    masterKeys: createMasterKeyStore({ db, vault, gaps, firstKeyId }),
    deviceSeed: opened.secrets.deviceConfig,

    transaction: (work) =>
      againAfterDeadlock(async () => {
        const grown: string[] = [];
        const result = await db.transaction().execute(async (tx) =>
          work({
            ...createRepositories({ ...deps, db: tx, touch: recorder.touch }, gaps),
            audit: {
              async append(entry) {
                grown.push(entry.organizationId);
                return await appendAudit(tx, { vault, gaps, now }, entry);
              },
            },
          }),
        );
        for (const organizationId of grown) onGrown(organizationId);
        return result;
      }),

    backUp: (folder) => writeBackup({ engine, dataDir, folder }),
    ping: engine.probe,
    flush: recorder.flush,
    close() {
      closing ??= (async () => {
        idempotency.stop();
        try {
          await recorder.flush();
          await schedule.finish();
        } finally {
          await engine.close();
        }
      })();
      return closing;
    },
  };
}

const DEADLOCK_ATTEMPTS = 5;
const DEADLOCK_PAUSE_MS = 10;

/** Of transactions that wait for each other the database takes one back, as if it had never begun. */
async function againAfterDeadlock<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      const isDeadlock = error instanceof StorageError && (error as StorageError).code === 'deadlock';
      if (!isDeadlock || attempt === DEADLOCK_ATTEMPTS) throw error;
      // The other one takes what was given back.
      await pause(attempt * DEADLOCK_PAUSE_MS);
    }
  }
}

function createRepositories(
  deps: KeysDependencies & IdempotencyDeps,
  gaps: SqlGaps,
): Omit<Repositories, 'audit'> {
  return {
    users: createUsers(deps),
    sessions: createSessions(deps),
    accountLinks: createAccountLinks(deps),
    knownBrowsers: createKnownBrowsers(deps),
    secondFactors: createSecondFactors(deps),
    invitations: createInvitations(deps),
    directory: createDirectory(deps),
    mails: createMails(deps),
    organizations: createOrganizations(deps),
    members: createMembers(deps),
    subscriptions: createSubscriptions(deps),
    projects: createProjects(deps),
    keys: createKeys(deps),
    policies: createPolicies(deps),
    webhooks: createWebhooks(deps, gaps),
    erasures: createErasures(deps),
    deletions: createDeletions(deps, gaps),
    usageAlerts: createUsageAlerts(deps),
    enrollments: createEnrollments(deps),
    devices: createDevices(deps),
    fleetSettings: createFleetSettings(deps),
    exceptions: createExceptions(deps),
    toolRequests: createToolRequests(deps),
    toolLists: createToolLists(deps),
    toolReviews: createToolReviews(deps),
    codeRepositories: createCodeRepositories(deps),
    eventMarks: createEventMarks(deps),
    securityTestRuns: createSecurityTestRuns(deps),
    scrapeJobs: createScrapeJobs(deps, gaps),
    idempotency: createAnswerKeeper(deps),
  };
}
