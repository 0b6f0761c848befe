import type { EndpointOf } from '../../storage/storage.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const DAILY_AT_MS = 8 * HOUR_MS;

/** Returns when a target is notified of a new event: immediately, with its next digest, or after its quiet hours. */
export function dueAt(
  target: Pick<EndpointOf<'notification'>, 'digest' | 'quietHours'>,
  nowMs: number,
): number {
  const { digest, quietHours } = target;
  const atMs =
    digest === 'hourly'
      ? Math.floor(nowMs / HOUR_MS + 1) * HOUR_MS
      : digest === 'daily'
        ? Math.floor((nowMs - DAILY_AT_MS) / DAY_MS + 1) * DAY_MS + DAILY_AT_MS
        : nowMs;
  if (quietHours === null) return atMs;
  const minute = minuteOfDay(atMs, quietHours.time_zone ?? 'UTC');
  const from = toMinutes(quietHours.from);
  const to = toMinutes(quietHours.to);
  const isQuiet = from <= to ? minute >= from && minute < to : minute >= from || minute < to;
  const waitMinutes = (to - minute + 1_440) % 1_440;
  return isQuiet ? Math.floor(atMs / MINUTE_MS) * MINUTE_MS + waitMinutes * MINUTE_MS : atMs;
}

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

function minuteOfDay(atMs: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' });
  return toMinutes(format.format(atMs));
}

function toMinutes(time: string): number {
  const [hours = '0', minutes = '0'] = time.split(':');
  return Number(hours) * 60 + Number(minutes);
}
