import type { DecisionEvent } from '../inspect/decision-event.ts';

const MINUTE_MS = 60_000;
const MAX_PLACES = 1_000;

/**
 * Pages send pictures and packed telemetry by the dozen, and connect again and again where they are refused: that such
 * a thing passed unread, or that a connection could not be opened, is reported once a minute for each place. Every other event
 * is reported every time.
 */
export function oncePerMinute(
  emit: (event: DecisionEvent) => void,
  now: () => number,
): (event: DecisionEvent) => void {
  const sentMs = new Map<string, number>();
  return (event) => {
    if (!isRepeated(event)) return emit(event);
    const place = `${event.direction} ${event.done} ${event.host} ${event.path}`;
    const nowMs = now();
    const before = sentMs.get(place);
    if (before !== undefined && Math.abs(nowMs - before) < MINUTE_MS) return;
    if (sentMs.size >= MAX_PLACES) sentMs.clear();
    sentMs.set(place, nowMs);
    emit(event);
  };
}

function isRepeated({ reason, done, decision }: DecisionEvent): boolean {
  return (
    reason === 'no_certificate' ||
    reason === 'pinned' ||
    (reason === 'unread' && done === 'forwarded' && decision === 'allow')
  );
}
