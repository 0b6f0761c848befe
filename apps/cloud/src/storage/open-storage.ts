import { AsyncLocalStorage } from 'node:async_hooks';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type AppendDeps, appendAudit, createAppends } from './audit/append-audit.ts';
import { createAudit } from './audit/audit.ts';
import { createCheckpointFile } from './audit/checkpoint-file.ts';
import { createCheckpointSchedule } from './audit/checkpoint-schedule.ts';
import { createVerifyThread } from './audit/verify-thread.ts';
import { createLabelLimit } from './batch/label-limit.ts';
import { createModelNames } from './batch/model-names.ts';
import { prepareDecision } from './batch/prepare-decision.ts';
import { createRecorder } from './batch/recorder.ts';
import { databaseOf, openEngine } from './engines/open-engine.ts';
import type { Engine } from './engines/sql-dialect.ts';
import { migrate } from './migrate.ts';
import { createAgentCalls, createSessionTaints } from './repositories/agent-calls.ts';
import { createConversationNotes } from './repositories/conversation-notes.ts';
import { createRepositories, type RepositoriesDependencies } from './repositories/create-repositories.ts';
import { createEventCounts } from './repositories/event-counts.ts';
import { createEvents } from './repositories/events.ts';
import { createIdempotency } from './repositories/idempotency.ts';
import { createMasterKeyStore } from './repositories/master-keys.ts';
import { createScrapeJobs } from './repositories/scrape-jobs.ts';
import { createUsage } from './repositories/usage.ts';
import { type OpenVault, openVault } from './sealing/open-vault.ts';
import type { MasterKeys } from './sealing/sealer.ts';
import type { Storage, StorageLog, StorageOptions } from './storage.ts';
import { StorageError } from './storage-error.ts';
import { CHECKPOINT_FILE, writeBackup } from './write-backup.ts';

const IDEMPOTENCY_BUDGET_BYTES = 256 << 20;

/** Opens the database and migrates its schema under a lock; rejects a schema that is newer than this build. */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const { dataDir, now } = options;
  const log: StorageLog = options.log ?? (() => {});
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const database = databaseOf(options);
  const engine = await openEngine(database, log);
  const { db, reads, dialect } = engine;
  const keys = { current: options.masterKey, previous: options.previousKeys ?? [] };
  const { vault, firstKeyId, secrets } = await openSchema(engine, keys, now, log);
  const checkpointFile = join(dataDir, CHECKPOINT_FILE);
  const file = createCheckpointFile(checkpointFile);
  const verifyThread = createVerifyThread({ database, checkpointFile, keys, secrets });
  const onGrown = (organizationId: string): void => schedule.noteGrown(organizationId, 1);
  const clientAddresses = new AsyncLocalStorage<string>();
  const appendDeps = { vault, dialect, now, clientAddress: () => clientAddresses.getStore() };
  const audit = createAudit({ ...appendDeps, db, reads, clientAddresses, file, onGrown, verifyThread });
  const schedule = createCheckpointSchedule((organizationId) => audit.checkpoint(organizationId), log);
  const recorder = createRecorder({
    writer: engine.createBatchWriter(vault),
    log,
    onGrown: (grown) => {
      for (const [organizationId, rows] of grown) schedule.noteGrown(organizationId, rows);
    },
  });
  const { idempotencyBudgetBytes = IDEMPOTENCY_BUDGET_BYTES } = options;
  const deps = { db, reads, vault, now, idempotencyBudgetBytes, touch: recorder.touch };
  const nameModel = createModelNames();
  const isLabelStored = createLabelLimit();
  const idempotency = createIdempotency(deps, log);
  const close = async (): Promise<void> => {
    idempotency.stop();
    try {
      await recorder.flush();
      await schedule.finish();
    } finally {
      await verifyThread.close();
      await engine.close();
    }
  };
  let closing: Promise<void> | undefined;
  return {
    ...createRepositories(deps, dialect),
    audit,
    scrapeJobs: createScrapeJobs(deps, dialect),
    agentCalls: createAgentCalls(deps),
    sessionTaints: createSessionTaints(deps),
    conversationNotes: createConversationNotes(deps),
    usage: createUsage(deps, recorder),
    events: createEvents({ ...deps, dialect, onGrown }),
    eventCounts: createEventCounts(deps),
    decisions: {
      record: async (record) =>
        await recorder.record(prepareDecision(record, now(), nameModel, isLabelStored)),
    },
    idempotency,
    masterKeys: createMasterKeyStore({ db, vault, dialect, firstKeyId }),
    deviceSeed: secrets.deviceConfig,
    transaction: createTransaction(deps, appendDeps, onGrown),
    backUp: (folder) => writeBackup({ engine, dataDir, folder }),
    ping: engine.probe,
    flush: recorder.flush,
    close() {
      closing ??= close();
      return closing;
    },
  };
}

/** Migrates the schema and opens the vault of its secrets. Closes the database if it cannot be used. */
async function openSchema(
  engine: Engine,
  keys: MasterKeys,
  now: () => number,
  log: StorageLog,
): Promise<OpenVault> {
  const { db, dialect } = engine;
  try {
    const ran = await migrate(db, dialect);
    if (ran.length > 0) log('info', 'The database schema was brought up to date', { migrations: ran });
    return await openVault(db, dialect, keys, now());
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** `onGrown` is called after the commit for each audit chain that the transaction extended. */
function createTransaction(
  deps: RepositoriesDependencies,
  appendDeps: AppendDeps,
  onGrown: (organizationId: string) => void,
): Storage['transaction'] {
  return (work) =>
    againAfterDeadlock(async () => {
      const grown: string[] = [];
      const result = await deps.db.transaction().execute(async (tx) =>
        work({
          ...createRepositories({ ...deps, db: tx, reads: tx }, appendDeps.dialect),
          audit: createAppends(async (entries) => {
            grown.push(entries[0].organizationId);
            return await appendAudit(tx, appendDeps, entries);
          }),
        }),
      );
      for (const organizationId of grown) onGrown(organizationId);
      return result;
    });
}

const DEADLOCK_ATTEMPTS = 5;
const DEADLOCK_PAUSE_MS = 10;

/** If transactions deadlock, the database rolls one back completely; it is run again. */
async function againAfterDeadlock<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      const isDeadlock = error instanceof StorageError && (error as StorageError).code === 'deadlock';
      if (!isDeadlock || attempt === DEADLOCK_ATTEMPTS) throw error;
      // The other transaction takes the released locks first.
      await pause(attempt * DEADLOCK_PAUSE_MS);
    }
  }
}
