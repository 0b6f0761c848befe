/** How long small requests of another organization take beside heavy bodies. */
import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '../bench/statistics.ts';
import type { Period } from './collections.ts';
import type { HeavyCase } from './heavy-cases.ts';
import type { Measuring } from './measure-turns.ts';
import { type SmallRequest, startNeighbour } from './neighbour.ts';

export interface Waits {
  readonly requests: number;
  /** Responses with another status than 200. */
  readonly failed: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** 99 of 100 without the time in which the gateway collected garbage. */
  readonly ownP99Ms: number;
}

export function waitsOf(requests: readonly SmallRequest[], collections: readonly Period[]): Waits {
  const waits = requests.map(({ fromMs, toMs }) => toMs - fromMs);
  const own = requests.map(
    ({ fromMs, toMs }) =>
      toMs -
      fromMs -
      collections.reduce(
        (sum, one) => sum + Math.max(0, Math.min(toMs, one.toMs) - Math.max(fromMs, one.fromMs)),
        0,
      ),
  );
  return {
    requests: requests.length,
    failed: requests.filter(({ status }) => status !== 200).length,
    ...{ p50Ms: quantile(waits, 0.5), p99Ms: quantile(waits, 0.99), maxMs: Math.max(...waits) },
    ownP99Ms: quantile(own, 0.99),
  };
}

export interface NeighbourWaits {
  /** Alone, before the heavy bodies: what the computer itself takes. */
  readonly idle: Waits;
  readonly beside: Waits;
}

/** Heavy bodies that are under way at the same time. */
const AT_ONCE = 4;

/** Sends all of the heavy bodies, four at a time, and small requests of another organization beside them. */
export async function measureNeighbour(
  { gateway, send }: Measuring,
  cases: readonly HeavyCase[],
  idleMs: number,
): Promise<NeighbourWaits> {
  const neighbour = await startNeighbour(gateway.address, gateway.keys['neighbour']!);
  const during = async (work: () => Promise<unknown>): Promise<Waits> => {
    await gateway.collections();
    const requests = await neighbour.during(work);
    return waitsOf(requests, await gateway.collections());
  };
  try {
    const idle = await during(() => sleep(idleMs));
    const left = cases.values();
    const beside = await during(() =>
      Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          for (const one of left) await send(one);
        }),
      ),
    );
    return { idle, beside };
  } finally {
    await neighbour.close();
  }
}

/** By how much heavy bodies lengthen the waits: other programs lengthen both. */
export const excessMs = ({ idle, beside }: NeighbourWaits): number => beside.ownP99Ms - idle.ownP99Ms;

/** One line for each of the two. */
export function neighbourReport({ idle, beside }: NeighbourWaits): string {
  const line = (name: string, { requests, failed, p50Ms, p99Ms, maxMs, ownP99Ms }: Waits): string =>
    `| ${[name, requests, failed, ...[p50Ms, p99Ms, ownP99Ms, maxMs].map((ms) => ms.toFixed(0))].join(' | ')} |`;
  return [
    '| small requests of a neighbour | sent | failed | half, ms | 99 of 100 | without garbage collection | longest |',
    '|---|---|---|---|---|---|---|',
    line('alone', idle),
    line('beside heavy bodies', beside),
  ].join('\n');
}
