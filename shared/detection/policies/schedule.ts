import { type Schedule, WEEK_DAYS, type WeekDay } from '../../contract/index.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

/** Whether this runtime knows the zone. */
export function isTimeZone(name: string): boolean {
  try {
    return formatOf(name) !== undefined;
  } catch {
    return false;
  }
}

/** Whether the schedule's clock shows a time within one of its windows. In a zone it does not know, it never does. */
export function isWithin(schedule: Schedule, atMs: number): boolean {
  if (!isTimeZone(schedule.time_zone)) return false;
  const { day, minute } = localTime(schedule.time_zone, atMs);
  const before = WEEK_DAYS[(WEEK_DAYS.indexOf(day) + 6) % 7]!;
  return schedule.windows.some(({ days, from, to }) => {
    const [start, end] = [minuteOf(from), minuteOf(to)];
    if (start < end) return days.includes(day) && minute >= start && minute < end;
    return (days.includes(day) && minute >= start) || (days.includes(before) && minute < end);
  });
}

function localTime(timeZone: string, atMs: number): { readonly day: WeekDay; readonly minute: number } {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, value]),
  );
  const day = WEEK_DAYS.find((name) => name === parts.get('weekday')?.toLowerCase())!;
  return { day, minute: Number(parts.get('hour')) * 60 + Number(parts.get('minute')) };
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    formats.set(timeZone, format);
  }
  return format;
}

function minuteOf(text: string): number {
  const [hours = 0, minutes = 0] = text.split(':').map(Number);
  return hours * 60 + minutes;
}
