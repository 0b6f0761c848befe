/**
 * Another process on the same database. Takes one JSON argument; prints `ready`, waits for a line on standard input,
 * works, and prints one JSON line for each thing that was confirmed.
 */
import { createInterface } from 'node:readline';
import { openStorage } from '../../apps/cloud/src/storage/open-storage.ts';
import type { Storage } from '../../apps/cloud/src/storage/storage.ts';
import { StorageError } from '../../apps/cloud/src/storage/storage-error.ts';
import { MASTER_KEY, makeRecord, NOON } from './storage-engines.ts';

export interface WorkerTask {
  readonly options: { readonly dataDir: string; readonly databaseUrl?: string };
  readonly kind: 'open' | 'compete' | 'record';
  readonly name: string;
}

const say = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`);

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

async function append(storage: Storage, { name }: WorkerTask): Promise<void> {
  for (const n of upTo(100)) {
    const entry = { organizationId: 'org_shared', kind: 'x', actor: name, subject: String(n), data: { n } };
    if (n % 2 === 0) await storage.audit.append(entry);
    else await storage.decisions.record(makeRecord('org_shared'));
  }
}

/** Returns how many of 300 requests were admitted; those without a limit all are. */
async function admit(storage: Storage): Promise<number> {
  const one = () => storage.usage.admit({ accountId: 'usr_shared', limit: 500, device: false, nowMs: NOON });
  let admitted = 0;
  for (let round = 0; round < 15; round++) {
    const results = await Promise.all(Array.from({ length: 20 }, one));
    admitted += results.filter((result) => result.admitted).length;
  }
  for (const _n of upTo(300))
    await storage.usage.admit({ accountId: 'usr_free', limit: null, device: true, nowMs: NOON });
  await storage.flush();
  return admitted;
}

async function begin(storage: Storage): Promise<string[]> {
  const begun = await Promise.all(
    upTo(50).map((n) =>
      storage.idempotency.begin({
        organizationId: 'org_1',
        keyId: 'key',
        key: `k${n}`,
        fingerprint: 'f',
        leaseMs: 60_000,
        nowMs: NOON,
      }),
    ),
  );
  return begun.map(({ state }) => state);
}

async function work(storage: Storage, task: WorkerTask): Promise<void> {
  switch (task.kind) {
    case 'open':
      say(await storage.audit.listOrganizations());
      return;
    case 'compete':
      await append(storage, task);
      say({ admitted: await admit(storage), begun: await begin(storage) });
      return;
    case 'record':
      // Endless: the parent process kills this one in the middle.
      await storage.idempotency.begin({
        organizationId: 'org_1',
        keyId: 'key',
        key: 'crash',
        fingerprint: 'f',
        leaseMs: 60_000,
        nowMs: NOON,
      });
      for (;;) {
        await Promise.all(
          Array.from({ length: 7 }, async () => {
            await storage.usage.admit({ accountId: 'usr_killed', limit: null, device: false, nowMs: NOON });
            const record = makeRecord('org_killed', {}, { accountId: 'usr_killed', device: false });
            await storage.decisions.record(record);
            say(record.event.id);
          }),
        );
      }
  }
}

const task = JSON.parse(process.argv[2] ?? '') as WorkerTask;
const open = () => openStorage({ ...task.options, masterKey: MASTER_KEY, now: () => NOON });
// For some tests, opening is the race.
const early = task.kind === 'open' ? undefined : await open();
say('ready');
for await (const _line of createInterface({ input: process.stdin })) break;
try {
  const storage = early ?? (await open());
  await work(storage, task);
  await storage.close();
} catch (error) {
  say({ failed: error instanceof StorageError ? error.code : String(error) });
  process.exitCode = 1;
}
process.stdin.destroy();
