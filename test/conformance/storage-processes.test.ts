import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { inheritedPreloads } from '../support/inherited-preloads.ts';
import { cases } from '../support/part.ts';
import { NOON, onEveryEngine } from './storage-engines.ts';
import type { WorkerTask } from './storage-worker.ts';

const KILLS = cases(2, 4);

interface Worker {
  readonly child: ChildProcess;
  readonly lines: AsyncIterator<string>;
  go(): void;
  /** All lines until its end. */
  rest(): Promise<unknown[]>;
}

async function startWorker(task: WorkerTask): Promise<Worker> {
  const program = path.join(import.meta.dirname, 'storage-worker.ts');
  const child = spawn(process.execPath, [...inheritedPreloads(), program, JSON.stringify(task)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const first = await lines.next();
  assert.equal(first.value, '"ready"');
  return {
    child,
    lines,
    go: () => child.stdin?.write('go\n'),
    async rest() {
      const messages: unknown[] = [];
      for (let next = await lines.next(); !next.done; next = await lines.next())
        messages.push(JSON.parse(next.value));
      return messages;
    },
  };
}

onEveryEngine(
  'Several processes',
  (engine) => {
    const race = async (kind: WorkerTask['kind'], processes: number): Promise<unknown[]> => {
      const workers = await Promise.all(
        Array.from({ length: processes }, (_, index) =>
          startWorker({ options: engine.options(), kind, name: `worker${index}` }),
        ),
      );
      for (const worker of workers) worker.go();
      return (await Promise.all(workers.map((worker) => worker.rest()))).flat();
    };

    test('that open an empty database together migrate it once', async () => {
      assert.deepEqual(await race('open', 4), [[], [], [], []]);
      const storage = await engine.open();
      await storage.ping();
    });

    interface Share {
      readonly admitted: number;
      readonly begun: readonly string[];
    }
    let competition: Promise<Share[]> | undefined;
    /** One race for the next three tests: a process takes long to start. */
    const compete = () => (competition ??= race('compete', 3) as Promise<Share[]>);

    test('that append to one chain concurrently never fork it', async () => {
      assert.equal((await compete()).length, 3);
      const storage = await engine.open();
      const report = await storage.audit.verify('org_shared');
      assert.deepEqual([report.valid, report.checked], [true, 300], JSON.stringify(report.faults));
      assert.equal(report.anchored_until, 300, 'rows that a process leaves are anchored when it closes');
    });

    test('that admit concurrently stop exactly at the limit, and lose no count', async () => {
      const shares = await compete();
      assert.equal(
        shares.reduce((sum, { admitted }) => sum + admitted, 0),
        500,
      );
      const storage = await engine.open();
      assert.equal(await storage.usage.monthTotal('usr_shared', '2026-11'), 500);
      assert.equal(await storage.usage.monthTotal('usr_free', '2026-11'), 900);
    });

    test('that begin the same work concurrently: one starts each', async () => {
      const states = (await compete()).flatMap(({ begun }) => begun);
      assert.equal(states.filter((state) => state === 'started').length, 50);
      assert.equal(states.filter((state) => state === 'running').length, 100);
    });

    test('a process killed while writing loses nothing that was acknowledged, and leaves nothing incomplete', async () => {
      const storage = await engine.open();
      const acknowledged = new Set<string>();
      for (let round = 0; round < KILLS; round++) {
        const worker = await startWorker({ options: engine.options(), kind: 'record', name: 'w' });
        worker.go();
        for (let lines = 0; lines < 40 + round * 97; lines++)
          acknowledged.add(String((await worker.lines.next()).value));
        worker.child.kill('SIGKILL');
        for (const id of await worker.rest()) acknowledged.add(JSON.stringify(id));
      }
      const stored = new Set<string>();
      for (let after: string | undefined; ; ) {
        const page = await storage.events.page('org_killed', {
          limit: 200,
          ...(after === undefined ? {} : { after }),
        });
        for (const event of page.events) stored.add(JSON.stringify(event.id));
        if (page.next === null) break;
        after = page.next;
      }
      assert.deepEqual(
        [...acknowledged].filter((id) => !stored.has(id)),
        [],
        'acknowledged and lost',
      );
      const report = await storage.audit.verify('org_killed');
      assert.deepEqual(
        [report.valid, report.checked],
        [true, stored.size],
        'an event without its row, or a row without its event',
      );
      // Two for each record; counts attached to a record may have been written before it.
      const counted = await storage.usage.monthTotal('usr_killed', '2026-11');
      assert.ok(
        counted >= 2 * stored.size && counted <= 2 * stored.size + KILLS * 7,
        `${counted} for ${stored.size}`,
      );
      const begin = (nowMs: number) =>
        storage.idempotency.begin({
          organizationId: 'org_1',
          keyId: 'key',
          key: 'crash',
          fingerprint: 'f',
          leaseMs: 60_000,
          nowMs,
        });
      assert.equal((await begin(NOON)).state, 'running');
      assert.equal((await begin(NOON + 60_000)).state, 'started');
    });
  },
  false,
);
