import type { DecisionEvent } from '../inspect/decision-event.ts';

const MINUTE_MS = 60_000;
const MAX_PLACES = 1_000;

/**
 * Limits repeated events to one per minute and place: pages send images and compressed telemetry by the dozen, and
 * reconnect again and again after a refusal. This affects events about traffic that passed unread and about connections
 * that could not be opened. Every other event is reported.
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
