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
  readonly kind: 'open' | 'append' | 'admit' | 'begin' | 'record';
  readonly name: string;
  readonly count: number;
}

const say = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`);

async function work(storage: Storage, task: WorkerTask): Promise<void> {
  const each = Array.from({ length: task.count }, (_, index) => index);
  switch (task.kind) {
    case 'open':
      say(await storage.audit.listOrganizations());
      return;
    case 'append':
      for (const n of each) {
        const entry = {
          organizationId: 'org_shared',
          kind: 'x',
          actor: task.name,
          subject: String(n),
          data: { n },
        };
        if (n % 2 === 0) await storage.audit.append(entry);
        else await storage.decisions.record(makeRecord('org_shared'));
      }
      say('done');
      return;
    case 'admit': {
      const admit = () =>
        storage.usage.admit({ accountId: 'usr_shared', limit: 500, device: false, nowMs: NOON });
      let admitted = 0;
      for (let index = 0; index < task.count; index += 20) {
        const results = await Promise.all(Array.from({ length: 20 }, admit));
        admitted += results.filter((result) => result.admitted).length;
      }
      for (const _n of each)
        await storage.usage.admit({ accountId: 'usr_free', limit: null, device: true, nowMs: NOON });
      await storage.flush();
      say(admitted);
      return;
    }
    case 'begin': {
      const begun = await Promise.all(
        each.map((n) =>
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
      say(begun.map(({ state }) => state));
      return;
    }
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
