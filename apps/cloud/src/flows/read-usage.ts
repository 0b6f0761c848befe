import type { UsageStats } from '@csg/shared/contract';
import type { Storage } from '../storage/storage.ts';
import { nextMonthMs } from './admit-request.ts';
import type { Principal } from './authenticate-key.ts';
import type { Clock } from './clock.ts';

const DAY_MS = 86_400_000;

export interface ReadUsageDeps {
  readonly storage: Pick<Storage, 'usage' | 'flush'>;
  readonly clock: Clock;
}

/** Returns the account's month so far in both formats of the specification, including days without requests. */
export async function readUsage(
  deps: ReadUsageDeps,
  principal: Pick<Principal, 'account'>,
): Promise<UsageStats> {
  const nowMs = deps.clock.now();
  const today = isoDay(nowMs);
  const month = today.slice(0, 7);
  const fromDay = `${month}-01`;
  await deps.storage.flush();
  const stats = await deps.storage.usage.stats(principal.account.id, { fromDay, toDay: today, month });
  const byDay = new Map(stats.days.map((day) => [day.date, day.requests]));
  const daily: { date: string; requests: number }[] = [];
  for (let atMs = Date.parse(fromDay); atMs <= nowMs; atMs += DAY_MS) {
    daily.push({ date: isoDay(atMs), requests: byDay.get(isoDay(atMs)) ?? 0 });
  }
  const limit = principal.account.plan.monthly;
  return {
    requests_used: stats.month,
    requests_limit: limit,
    overage: limit === null ? 0 : Math.max(0, stats.month - limit),
    reset_at: new Date(nextMonthMs(nowMs)).toISOString(),
    daily_usage: daily,
    total: stats.month,
    limit,
    remaining: limit === null ? null : Math.max(0, limit - stats.month),
  };
}

function isoDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
