import { ALERT_EVENT } from '@csg/shared/contract';
import { visibleText } from '@csg/shared/text';
import type { EventAlert, Storage } from '../../storage/storage.ts';
import type { Clock } from '../clock.ts';
import { readEventFilter, type SearchDeps } from '../insight/search-events.ts';
import type { Links } from '../links.ts';
import { dueAt } from './due-at.ts';

export interface CheckAlertsDeps {
  readonly storage: SearchDeps['storage'] & Pick<Storage, 'events' | 'eventAlerts' | 'transaction'>;
  readonly clock: Clock;
  readonly links: Links;
}

const MINUTE_MS = 60_000;
const MAX_AT_ONCE = 100;
/** A long window is counted less often than every minute: it changes less from one minute to the next. */
const CHECKS_PER_WINDOW = 60;

/** Checks each alert that is due, on one instance. */
export async function checkAlerts(deps: CheckAlertsDeps): Promise<void> {
  const { storage, clock } = deps;
  for (const alert of await storage.eventAlerts.listDue(MAX_AT_ONCE)) {
    const everyMs = Math.max(1, alert.windowMinutes / CHECKS_PER_WINDOW) * MINUTE_MS;
    if (await storage.eventAlerts.plan(alert, clock.now() + everyMs)) await checkAlert(deps, alert);
  }
}

/** After a notification the next check is a window later, so that no event is reported twice. */
async function checkAlert(deps: CheckAlertsDeps, alert: EventAlert): Promise<void> {
  const { storage, clock } = deps;
  const { organizationId, threshold } = alert;
  const windowMs = alert.windowMinutes * MINUTE_MS;
  const nowMs = clock.now();
  const [fromMs, toMs] = [nowMs + 1 - windowMs, nowMs + 1];
  const filter = { ...(await readEventFilter(deps, organizationId, alert.filter)), fromMs, toMs };
  if ((await storage.events.count(organizationId, filter, threshold)) < threshold) return;
  await storage.transaction(async ({ endpoints, notifications, eventAlerts }) => {
    const target = await endpoints.get(organizationId, alert.endpointId);
    if (target?.kind !== 'notification' || !target.isEnabled) return;
    await eventAlerts.noteNotified(alert.id, nowMs + windowMs);
    const message = alertMessage(alert, deps.links, { fromMs, toMs });
    await notifications.enqueue(organizationId, [
      { ...message, endpointId: target.id, event: ALERT_EVENT, dueAtMs: dueAt(target, nowMs) },
    ]);
  });
}

function alertMessage(
  { id, name, filter, threshold, windowMinutes }: EventAlert,
  links: Links,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
) {
  const [from, to] = [fromMs, toMs].map((ms) => new Date(ms).toISOString()) as [string, string];
  const url = links.page(`events?${new URLSearchParams({ ...filter, span: 'custom', from, to })}`);
  const events = threshold === 1 ? 'An event matched' : `${threshold} events or more matched`;
  const minutes = windowMinutes === 1 ? 'minute' : `${windowMinutes} minutes`;
  return {
    text: `Alert ${visibleText(name)}: ${events} within the last ${minutes}.\nSee ${url}`,
    data: { alert_id: id, alert: name, threshold, window_minutes: windowMinutes, filter, from, to, url },
  };
}
