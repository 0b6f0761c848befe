import { checkAnswers } from './check-answers.ts';
import { type HeldStreams, holdStreams } from './hold-streams.ts';
import { type Latency, type LatencyRounds, measureLatency, summarizeLatency } from './measure-latency.ts';
import { measureSessions, type SessionLatency } from './measure-sessions.ts';
import {
  type Entrant,
  measureThroughput,
  summarizeThroughput,
  type Throughput,
  type ThroughputRounds,
} from './measure-throughput.ts';
import { HAS_NGINX } from './nginx.ts';
import { installPortkey } from './portkey.ts';
import { readStoredBytes, type StoredBytes } from './stored-bytes.ts';
import {
  CLIENT_HEADERS,
  startNginxTarget,
  startOurs,
  startPortkeys,
  startYardstick,
  type Target,
  type TargetName,
  WITHOUT_SCAN,
} from './targets.ts';
import type { WarmUp } from './warm-up.ts';
import { WORKLOADS, type Workload } from './workloads.ts';

/** Who takes part in what. */
export const FIELDS: Readonly<Record<string, readonly TargetName[]>> = {
  small: ['bare', 'scan alone', 'ours', 'ours, scan off', 'portkey', 'portkey, regex', 'nginx'],
  large: ['bare', 'ours', 'ours, scan off', 'portkey', 'portkey, regex'],
  history: ['bare', 'ours', 'ours, as it comes', 'portkey'],
  stream: ['bare', 'ours', 'portkey'],
  waiting: ['bare', 'ours', 'portkey'],
  session: ['bare', 'ours, as it comes', 'portkey'],
};

/**
 * Whose ratios have to be reached (bars.ts): they take part in every round, side by side. The others come now and then,
 * and a load where none has to be reached comes in the first generation only.
 */
const ASKED: Readonly<Record<string, readonly string[]>> = {
  small: ['bare', 'ours', 'ours, scan off', 'portkey'],
  large: ['ours', 'portkey'],
  stream: ['bare', 'ours'],
  latency: ['direct', 'bare', 'ours', 'portkey'],
};
const NOW_AND_THEN = 3;

export interface GatewayFigures {
  /** By the workload's name. */
  readonly throughput: Readonly<Record<string, readonly Throughput[]>>;
  readonly latency: readonly Latency[] | null;
  /** Absent in runs from before it was measured. */
  readonly sessions?: readonly SessionLatency[] | null;
  readonly heldStreams: readonly HeldStreams[] | null;
  readonly stored: StoredBytes | null;
}

export interface GatewaySettings {
  /** How often all are started anew: one process may be a fifth slower than the next one of the same program. */
  readonly generations: number;
  /** Of each generation. */
  readonly roundsEach: number;
  readonly roundSeconds: number;
  /** Of a process that is new. */
  readonly warmUp: WarmUp;
  /** Of one that is warm, by a load that is new to it. */
  readonly change: WarmUp;
  readonly latencyRequests: number;
  readonly streams: number;
}

export interface Asked {
  readonly providerUrl: string;
  /** Where npm puts the peers. */
  readonly peers: string;
  readonly parts: readonly string[];
  /** Who stays away. */
  readonly without: readonly string[];
}

/** The gateway beside a bare pass-through and its peers. Says in `skipped` who or what is left out, and why. */
export async function measureGateways(
  asked: Asked,
  settings: GatewaySettings,
  skipped: Record<string, string>,
  note: (line: string) => void,
): Promise<GatewayFigures> {
  const { parts } = asked;
  const workloads = Object.values<Workload>(WORKLOADS).filter(({ name }) => parts.includes(name));
  const measured = new Map(workloads.map(({ name }) => [name, new Map() as ThroughputRounds]));
  const times: LatencyRounds = new Map();
  let stored: StoredBytes | null = null;
  let sessions: readonly SessionLatency[] | null = null;

  // In processes of their own: either would leave the heap of the other as it is under load.
  const heldStreams = parts.includes('held')
    ? await withTargets(asked, skipped, (targets) =>
        measureHeldStreams(fieldOf('waiting', targets), settings.streams, note),
      )
    : null;
  if (heldStreams?.length === 0) skipped['held'] = 'the memory of a process cannot be read here';

  const isServed = workloads.length > 0 || parts.includes('latency') || parts.includes('session');
  const generations = isServed ? settings.generations : 0;
  for (let generation = 1; generation <= generations; generation++) {
    note(`starting the gateway and its peers, ${generation} of ${generations}`);
    await withTargets(asked, skipped, async (targets) => {
      for (const workload of workloads) await checkAnswers(fieldOf(workload.name, targets), workload);
      const due = workloads.filter(({ name }) => generation === 1 || ASKED[name] !== undefined);
      for (const [index, workload] of due.entries()) {
        const { roundsEach: rounds, roundSeconds: seconds, change } = settings;
        const warmUp = index === 0 ? settings.warmUp : change;
        const options = { rounds, seconds, warmUp, change };
        const entrants = entrantsOf(workload.name, fieldOf(workload.name, targets));
        await measureThroughput(workload, entrants, options, note, measured.get(workload.name)!);
      }
      if (parts.includes('latency')) {
        const url = `${asked.providerUrl}/v1/chat/completions`;
        const field = [{ name: 'direct', url, headers: CLIENT_HEADERS }, ...fieldOf('small', targets)];
        const options = { rounds: settings.roundsEach, requests: settings.latencyRequests };
        await measureLatency(WORKLOADS.small.body, entrantsOf('latency', field), options, note, times);
      }
      if (parts.includes('session') && generation === 1)
        sessions = await measureSessions(fieldOf('session', targets), settings.roundsEach, note);
      const dataDir = targets.find((target) => target.name === 'ours')?.dataDir;
      if (workloads.length > 0 && dataDir) stored = readStoredBytes(dataDir);
    });
  }
  const throughput = Object.fromEntries([...measured].map(([name, its]) => [name, summarizeThroughput(its)]));
  const latency = times.size === 0 ? null : summarizeLatency(times);
  return { throughput, latency, sessions, heldStreams, stored };
}

function fieldOf(part: string, targets: readonly Target[]): readonly Target[] {
  return targets.filter(({ name }) => FIELDS[part]?.includes(name));
}

function entrantsOf<T extends { readonly name: string }>(part: string, field: readonly T[]): Entrant<T>[] {
  return field.map((target) => ({ target, every: ASKED[part]?.includes(target.name) ? 1 : NOW_AND_THEN }));
}

/** Starts all who take part, and ends them whatever happens. */
async function withTargets<T>(
  asked: Asked,
  skipped: Record<string, string>,
  work: (targets: readonly Target[]) => Promise<T>,
): Promise<T> {
  const running: Target[] = [];
  try {
    const targets = await startTargets(asked, running, skipped);
    return await work(targets.filter(({ name }) => !asked.without.includes(name)));
  } finally {
    for (const target of running.reverse()) await target.stop();
  }
}

/** Starts who can be started, ours in any case. */
async function startTargets(
  { providerUrl, peers }: Asked,
  running: Target[],
  skipped: Record<string, string>,
): Promise<readonly Target[]> {
  running.push(await startYardstick('bare', providerUrl));
  running.push(await startYardstick('scan alone', providerUrl));
  running.push(await startOurs(providerUrl));
  running.push(await startOurs(providerUrl, { name: 'ours, scan off', nodeOptions: WITHOUT_SCAN }));
  running.push(await startOurs(providerUrl, { name: 'ours, as it comes', remembers: true }));
  try {
    await installPortkey(peers);
    running.push(...(await startPortkeys(peers, providerUrl)));
  } catch (error) {
    skipped['portkey'] = (error as Error).message;
  }
  if (HAS_NGINX) running.push(await startNginxTarget(providerUrl));
  else skipped['nginx'] = 'it is not installed here';
  return [...running];
}

async function measureHeldStreams(
  targets: readonly Target[],
  streams: number,
  note: (line: string) => void,
): Promise<HeldStreams[]> {
  const figures: HeldStreams[] = [];
  for (const target of targets) {
    note(`held streams: ${target.name}`);
    const held = await holdStreams(target, streams);
    if (held !== null) figures.push(held);
  }
  return figures;
}
