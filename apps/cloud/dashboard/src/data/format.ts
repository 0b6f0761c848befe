/** Numbers and times for display, in the language of the browser and always with their unit. */

const COUNT = new Intl.NumberFormat();
const SHORT_COUNT = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });

const PERCENT = new Intl.NumberFormat(undefined, { style: 'percent' });
const FINE_PERCENT = new Intl.NumberFormat(undefined, { style: 'percent', minimumFractionDigits: 1 });
const ONE_DIGIT = new Intl.NumberFormat(undefined, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

export function countText(count: number): string {
  return COUNT.format(count);
}

/** 12.3K above ten thousand, exact below. */
export function shortCount(count: number): string {
  return count < 10_000 ? COUNT.format(count) : SHORT_COUNT.format(count);
}

/** `1 device`, `2 devices`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`;
}

/** A share of 0..1 as a percentage. A share above 0 is never shown as 0%, a share below 1 never as 100%. */
export function percentText(share: number): string {
  if (!Number.isFinite(share)) return '–';
  const percent = share * 100;
  if (percent > 0 && percent < 0.1) return `<${FINE_PERCENT.format(0.001)}`;
  if (percent < 100 && percent > 99.9) return `>${FINE_PERCENT.format(0.999)}`;
  return percent >= 10 || Number.isInteger(percent) ? PERCENT.format(share) : FINE_PERCENT.format(share);
}

/** A duration with its significant digits. */
export function durationText(ms: number): string {
  if (ms < 1) return `${Math.round(ms * 1000)} µs`;
  if (ms < 10) return `${ONE_DIGIT.format(ms)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${ONE_DIGIT.format(ms / 1000)} s`;
  return spanText(ms);
}

const UNITS = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1000, 'second'],
] as const;

/** `3 minutes`, `2 days`: the largest unit of at least 1, and at least a second. */
export function spanText(ms: number): string {
  const [size, name] = UNITS.find(([unit]) => ms >= unit) ?? UNITS[3];
  return countOf(Math.max(1, Math.floor(ms / size)), name);
}

/** `3 minutes ago`, `in 2 hours`, `just now`. */
export function agoText(at: string, nowMs: number): string {
  const ms = nowMs - Date.parse(at);
  if (Math.abs(ms) < 5000) return 'just now';
  return ms > 0 ? `${spanText(ms)} ago` : `in ${spanText(-ms)}`;
}

/** In the reader's time zone and language, such as `Nov 21, 2026, 18:04:09`. */
export function timeText(at: string): string {
  return new Date(at).toLocaleString(undefined, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
}

/** In the reader's time zone, in the format of a `datetime-local` field: `2026-11-21T18:04`. */
export function fieldTime(ms: number): string {
  const offsetMs = new Date(ms).getTimezoneOffset() * 60_000;
  return new Date(ms - offsetMs).toISOString().slice(0, 16);
}

/** Such as `Nov 21, 2026`. */
export function dayText(at: string): string {
  return new Date(at).toLocaleDateString(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
}

const DOLLARS = new Intl.NumberFormat(undefined, {
  ...{ style: 'currency', currency: 'USD', minimumFractionDigits: 2, maximumFractionDigits: 4 },
});

export function dollarText(amount: number): string {
  return DOLLARS.format(amount);
}
