import type { Schedule } from '../../contract/index.ts';
import { WEEK_DAYS, type WeekDay } from '../../vocabulary/index.ts';

/** True if this runtime supports the time zone. */
export function isTimeZone(name: string): boolean {
  return clockOf(name) !== null;
}

/**
 * Compiles a check whether a time, in milliseconds since 1970, is within one of the schedule's windows by the clock of
 * its zone. In an unsupported zone no time is.
 */
export function compileSchedule({ time_zone: timeZone, windows }: Schedule): (atMs: number) => boolean {
  const clock = clockOf(timeZone);
  if (clock === null) return () => false;
  return (atMs) => {
    const { day, minute } = localTime(clock, atMs);
    const before = WEEK_DAYS[(WEEK_DAYS.indexOf(day) + 6) % 7]!;
    return windows.some(({ days, from, to }) => {
      const [start, end] = [minuteOf(from), minuteOf(to)];
      if (start < end) return days.includes(day) && minute >= start && minute < end;
      return (days.includes(day) && minute >= start) || (days.includes(before) && minute < end);
    });
  };
}

function localTime(
  clock: Intl.DateTimeFormat,
  atMs: number,
): { readonly day: WeekDay; readonly minute: number } {
  const parts = new Map(clock.formatToParts(atMs).map(({ type, value }) => [type, value]));
  const day = WEEK_DAYS.find((name) => name === parts.get('weekday')?.toLowerCase())!;
  return { day, minute: Number(parts.get('hour')) * 60 + Number(parts.get('minute')) };
}

/** Returns null for an unknown zone. */
function clockOf(timeZone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
  } catch {
    return null;
  }
}

function minuteOf(text: string): number {
  const [hours = 0, minutes = 0] = text.split(':').map(Number);
  return hours * 60 + minutes;
}
