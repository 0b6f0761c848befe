/** One database, a service and a device that are killed repeatedly, and all parties they talk to. */
import { appendFileSync, existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadMasterKey } from '../../../apps/cloud/src/config/master-key.ts';
import { openStorage } from '../../../apps/cloud/src/storage/open-storage.ts';
import type { Storage } from '../../../apps/cloud/src/storage/storage.ts';
import { startGatewayProcess } from '../gateway-process.ts';
import { type ReceivedWebhook, startReceiver } from '../receiver/receiver.ts';
import { startTestProvider, type TestProvider } from '../test-provider.ts';
import { HANG_LIMIT_MS, until } from '../until.ts';
import { type CrashDatabase, type DatabaseReader, type EngineName, openEngine } from './engines.ts';
import { readHeld, workExcept } from './held-work.ts';
import { type Call, createLedger, type Ledger, type Reply } from './ledger.ts';
import type { Point, TapName, Victim } from './points.ts';
import { type Device, type Service, startDevice, startService } from './processes.ts';
import { enroll, seedProject } from './seed-project.ts';
import { startSite } from './site.ts';
import { startTap, type Tap } from './tap.ts';

/** Longer than every lease of the service. */
const LEASES_MS = 61_000;

export interface Received {
  readonly webhook: ReceivedWebhook;
  /** How often the service had been killed when this arrived. */
  readonly life: number;
  readonly isRefused: boolean;
}

export interface TestEnv {
  readonly ledger: Ledger;
  readonly testProvider: TestProvider;
  readonly taps: Readonly<Record<TapName, Tap>>;
  readonly received: readonly Received[];
  /** Paths of the requested pages. */
  readonly fetched: readonly string[];
  /** Decisions that the device confirmed as stored on its disk. */
  readonly confirmedByDevice: ReadonlySet<string>;
  readonly address: string;
  /** The time of the service, which only `passLeases` moves. */
  readonly nowMs: number;
  /** How often the service was killed. */
  readonly life: number;
  /** Sends through the tap, for the moments of a client. */
  sendTapped(call: Call): Promise<Reply | null>;
  send(call: Call, apiKey?: string): Promise<Reply | null>;
  /** The device, started if there is none. */
  device(): Device;
  /** Sets whether the receiver rejects from now on. */
  refuse(isRefused: boolean): void;
  /** Kills at the point; resolves once the victim is dead. Rejects if the point is not reached. */
  arm(point: Point, mark: string): Promise<{ readonly death: Promise<void>; kill(): void }>;
  /** After a death: may tear the end of its log, and waits until its database is idle. */
  bury(victim: Victim, random: () => number): Promise<void>;
  /** Starts the service if none runs. */
  start(): Promise<void>;
  /**
   * Lets every lease of the dead process expire and makes failed work due again. Nothing of the running process is in
   * progress then.
   */
  passLeases(): Promise<void>;
  look<T>(work: (look: DatabaseReader) => Promise<T>): Promise<T>;
  /** Polls until a query returns no row; fails with the remaining ones. */
  untilNone(sql: string): Promise<void>;
  /** Polls until every delivery and page has ended. */
  untilDone(): Promise<void>;
  withStorage<T>(work: (storage: Storage) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export async function openTestEnv(engine: EngineName): Promise<TestEnv> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'csg-crash-'));
  const closing: (() => Promise<unknown>)[] = [() => rm(dataDir, { recursive: true, force: true })];
  try {
    return await seed(dataDir, engine, closing);
  } catch (error) {
    await closeAll(closing);
    throw error;
  }
}

async function closeAll(closing: (() => Promise<unknown>)[]): Promise<void> {
  for (const close of closing.toReversed()) await close();
}

async function seed(
  dataDir: string,
  engine: EngineName,
  closing: (() => Promise<unknown>)[],
): Promise<TestEnv> {
  const kept = <T extends { close(): Promise<unknown> }>(part: T): T => {
    closing.push(() => part.close());
    return part;
  };
  const database: CrashDatabase = await openEngine[engine](dataDir);
  closing.push(() => database.remove());
  const testProvider = kept(await startTestProvider());
  const receiver = kept(await startReceiver());
  const site = kept(await startSite());
  const ledger = createLedger();
  const tap = async (url: string): Promise<Tap> => kept(await startTap(url));
  const unreachable = 'http://127.0.0.1:9';
  const taps = {
    client: await tap(unreachable),
    device: await tap(unreachable),
    provider: await tap(testProvider.url),
    receiver: await tap(receiver.url),
    site: await tap(site.url),
  };

  let isRefused = false;
  let life = 0;
  let nowMs = Date.now();
  /** Work that only waits for the clock. */
  let held: readonly string[] = [];
  const received: Received[] = [];
  receiver.answer((response, webhook) => {
    received.push({ webhook, life, isRefused });
    response.writeHead(isRefused ? 500 : 200).end();
  });

  const env = {
    PROVIDER_OPENAI_URL: taps.provider.url,
    SCRAPE_ALLOW_PRIVATE: '1',
    AUTH_FAILURE_LIMIT: '0',
    ...(database.databaseUrl === undefined ? {} : { DATABASE_URL: database.databaseUrl }),
  };
  const withStorage = async <T>(work: (storage: Storage) => Promise<T>): Promise<T> => {
    const storage = await openStorage({
      dataDir,
      masterKey: loadMasterKey({ dataDir }),
      now: () => nowMs,
      ...(database.databaseUrl === undefined ? {} : { databaseUrl: database.databaseUrl }),
    });
    try {
      return await work(storage);
    } finally {
      await storage.close();
    }
  };

  const first = await startGatewayProcess({ dataDir, env });
  await first.stop();
  const apiKey = first.firstKey as string;
  const token = await withStorage((storage) => seedProject(storage, `${taps.receiver.url}/hook`));

  let running: Service | undefined;
  const service = (): Service => {
    if (running === undefined) throw new Error('The service was not started.');
    return running;
  };
  closing.push(async () => {
    running?.kill();
    await running?.ended;
  });
  let deviceKey: string | undefined;
  const confirmedByDevice = new Set<string>();
  let device: Device | null = null;
  closing.push(async () => {
    device?.kill();
    await device?.ended;
  });

  const testEnv: TestEnv = {
    ledger,
    testProvider,
    taps,
    received,
    fetched: site.fetched,
    confirmedByDevice,
    get nowMs() {
      return nowMs;
    },
    get address() {
      return service().address;
    },
    get life() {
      return life;
    },
    sendTapped: (call) => ledger.send(taps.client.url, apiKey, call),
    send: (call, key = apiKey) => ledger.send(service().address, key, call),
    device() {
      device ??= startDevice(dataDir, taps.device.url, deviceKey ?? '', confirmedByDevice);
      return device;
    },
    refuse(next) {
      isRefused = next;
    },

    async arm({ moment, kills, name }, mark) {
      const victim = kills === 'service' ? service() : testEnv.device();
      let isKilled = false;
      const kill = (): void => {
        if (isKilled) return;
        isKilled = true;
        victim.kill();
      };
      if (moment !== 'told') {
        if ('sql' in moment) {
          const holds = moment.sql.holds?.replace('$', mark);
          const named = { ...moment.sql, ...(holds !== undefined && { holds }) };
          await (moment.of === 'service' ? service() : testEnv.device()).order({
            order: 'arm',
            moment: named,
          });
        } else {
          taps[moment.tap].watch(moment.wire, moment.tap === 'provider' ? mark : null, kill);
        }
      }
      const shown = () => JSON.stringify(ledger.entries.findLast(({ call }) => call.mark === mark));
      return { death: inTime(victim.ended, () => `"${name}" did not come about: ${shown()}`), kill };
    },

    async bury(victim, random) {
      const log = path.join(dataDir, victim === 'service' ? 'gateway.sqlite-wal' : 'journal.sqlite-wal');
      // An unfinished write: part of a frame after the last complete one.
      if (random() < 0.5 && existsSync(log)) {
        appendFileSync(log, Buffer.alloc(1 + Math.floor(random() * 4_200), Math.floor(random() * 256)));
      }
      if (victim === 'device') {
        device = null;
        return;
      }
      life += 1;
      isRefused = false;
      if (database.atWork !== null) await testEnv.untilNone(database.atWork);
      held = await testEnv.look((look) => readHeld(look, nowMs));
      running = undefined;
    },

    async start() {
      if (running !== undefined) return;
      running = await startService(dataDir, env, nowMs);
      for (const name of ['client', 'device'] as const) taps[name].leadTo(running.address);
      deviceKey ??= await enroll(running.address, token);
    },

    async passLeases() {
      await testEnv.untilNone(workExcept(held));
      held = [];
      nowMs += LEASES_MS;
      await service().order({ order: 'advance', ms: LEASES_MS });
    },

    async look(work) {
      const look = await database.look();
      try {
        return await work(look);
      } finally {
        await look.close();
      }
    },

    async untilNone(sql) {
      await testEnv.look(async (look) => {
        await until(
          () => look.query<object>(sql),
          (rows) => rows.length === 0,
        );
      });
    },
    untilDone: () => testEnv.untilNone(workExcept([])),
    withStorage,
    close: () => closeAll(closing),
  };
  return testEnv;
}

async function inTime(event: Promise<unknown>, fault: () => string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(fault())), HANG_LIMIT_MS);
  });
  try {
    await Promise.race([event, late]);
  } finally {
    clearTimeout(timer);
  }
}
