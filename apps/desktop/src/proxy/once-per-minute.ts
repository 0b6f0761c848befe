import type { DecisionEvent } from '../inspect/decision-event.ts';

const MINUTE_MS = 60_000;
const MAX_PLACES = 1_000;

/**
 * Pages send pictures and packed telemetry by the dozen: that such a thing passed unread is told once a minute for each
 * place. Everything that was stopped, changed or found is told every time.
 */
export function oncePerMinute(
  emit: (event: DecisionEvent) => void,
  now: () => number,
): (event: DecisionEvent) => void {
  const toldMs = new Map<string, number>();
  return (event) => {
    if (event.reason !== 'unread' || event.done !== 'forwarded' || event.decision !== 'allow')
      return emit(event);
    const place = `${event.direction} ${event.host} ${event.path}`;
    const nowMs = now();
    const before = toldMs.get(place);
    if (before !== undefined && Math.abs(nowMs - before) < MINUTE_MS) return;
    if (toldMs.size >= MAX_PLACES) toldMs.clear();
    toldMs.set(place, nowMs);
    emit(event);
  };
}
