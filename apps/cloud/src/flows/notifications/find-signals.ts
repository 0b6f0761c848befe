import { ownEndpointId, REQUEST_KINDS, type RequestKind } from '@csg/shared/contract';
import { visibleText } from '@csg/shared/text';
import type { JsonObject, Storage } from '../../storage/storage.ts';
import { endpointRow } from '../../webhooks/outbound/endpoint-kinds.ts';
import { rowOf } from '../approvals/request-kinds.ts';
import type { Clock } from '../clock.ts';
import { deviceState } from '../devices/device-state.ts';
import { type Names, readNames } from '../insight/read-names.ts';
import type { Links } from '../links.ts';
import type { Signal } from './notify.ts';

export interface SignalDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly links: Links;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Older requests are not reported. */
const NEWS_MS = DAY_MS;
const FAILED_ATTEMPTS = 10;
const FAILING_AFTER_MS = 2 * MINUTE_MS;
const BURST = 100;
const BURST_TIMES = 5;

/** Returns the current signals of an organization; the caller knows which were already sent. */
export async function findSignals(deps: SignalDeps, organizationId: string): Promise<readonly Signal[]> {
  const names = await readNames(deps, organizationId);
  const found = await Promise.all([
    requestSignals(deps, organizationId, names),
    deviceSignals(deps, organizationId),
    webhookSignals(deps, organizationId, names),
    burstSignals(deps, organizationId),
    quotaSignals(deps, organizationId),
  ]);
  return found.flat();
}

async function requestSignals(
  { storage, clock, links }: SignalDeps,
  organizationId: string,
  names: Names,
): Promise<Signal[]> {
  const kinds = REQUEST_KINDS.filter((kind) => rowOf(kind).isAnnounced);
  const found = await Promise.all(
    kinds.map((kind) => storage.requests.list(organizationId, { kind, limit: 200 })),
  );
  const sinceMs = clock.now() - NEWS_MS;
  return found.flat().flatMap((request): Signal[] => {
    const { id, requestedBy, requesterUserId, status, ...rest } = request;
    const row = rowOf<RequestKind>(request.kind);
    const [what, host] = [row.what(request), row.host(request)];
    const who = names.find(requesterUserId) ?? names.of(requestedBy);
    const url = links.page(`requests/${id}`);
    const project = names.find(request.projectId);
    const data = {
      ...{ id, status, requested_by: who, host, url, kind: request.kind, project },
      ...(row.details(request) as JsonObject),
    };
    const isDecided = rest.decidedAtMs !== null && (status === 'approved' || status === 'denied');
    if (isDecided && rest.decidedAtMs! >= sinceMs) {
      const decider = rest.decidedBy === null ? 'An admin' : names.of(rest.decidedBy);
      const text = `${decider} ${status} ${what}, which ${who} requested.`;
      return [{ event: 'request.decided', key: `request.decided:${id}`, text, data }];
    }
    if (status !== 'pending' || rest.createdAtMs < sinceMs) return [];
    const place = project === null ? '' : ` in the project ${project}`;
    // Names and arguments are other people's words: they must not look like something else.
    const sentence = row.announce?.(request, who) ?? `${who} requests ${what}`;
    const text = `${visibleText(`${sentence}${place}.`)}\nApprove or deny: ${url}`;
    return [{ event: 'request.waiting', key: `request.waiting:${id}`, text, data }];
  });
}

async function deviceSignals(
  { storage, clock, links }: SignalDeps,
  organizationId: string,
): Promise<Signal[]> {
  const url = links.page('devices');
  return (await storage.devices.list(organizationId)).flatMap((device): Signal[] => {
    const state = deviceState(device, clock.now());
    const { id, name } = device;
    const data = { device_id: id, device: name, state, url };
    if (state === 'gave_up') {
      const text = `Protection is off on the device ${name}: its proxy keeps failing, so its AI traffic is not protected.`;
      return [{ event: 'device.gave_up', key: `device.gave_up:${id}`, text, data }];
    }
    if (state !== 'silent') return [];
    const text = `The device ${name} has stopped reporting.`;
    return [{ event: 'device.silent', key: `device.silent:${id}`, text, data }];
  });
}

async function webhookSignals(
  { storage, clock, links }: SignalDeps,
  organizationId: string,
  names: Names,
): Promise<Signal[]> {
  const nowMs = clock.now();
  const failing = await storage.endpoints.listFailing(organizationId, nowMs - DAY_MS);
  return failing
    .filter(
      ({ failures, failingSinceMs }) =>
        failures >= FAILED_ATTEMPTS || nowMs - (failingSinceMs ?? nowMs) >= FAILING_AFTER_MS,
    )
    .filter(({ kind }) => kind !== 'notification')
    .map(({ id, kind, projectId, failures }): Signal => {
      const owner = names.find(projectId) ?? 'the organization';
      const isFirst = projectId === null || id === ownEndpointId('webhook', projectId);
      return {
        event: 'webhook.failing',
        key: `webhook.failing:${id}`,
        text: `A ${endpointRow(kind).name} of ${owner} is failing: ${failures} attempts have failed since the last success.`,
        data: {
          project_id: projectId,
          project: names.find(projectId),
          webhook_id: isFirst ? null : id,
          url: links.page(kind === 'webhook' ? 'webhooks' : 'endpoints'),
        },
      };
    });
}

/** Signals more blocks in five minutes than a minimum and than a multiple of the previous hour's average. */
async function burstSignals(
  { storage, clock, links }: SignalDeps,
  organizationId: string,
): Promise<Signal[]> {
  const nowMs = clock.now();
  const blocksIn = async (fromMs: number, toMs: number) => {
    const counts = await storage.eventCounts.count(organizationId, { fromMs, toMs });
    return counts.reduce((sum, { decision, count }) => sum + (decision === 'block' ? count : 0), 0);
  };
  const startMs = nowMs - 5 * MINUTE_MS;
  const blocked = await blocksIn(startMs, nowMs + 1);
  if (blocked <= BURST) return [];
  const usual = (await blocksIn(startMs - 60 * MINUTE_MS, startMs)) / 12;
  if (blocked < BURST_TIMES * usual) return [];
  const url = links.page('events?decision=block');
  const text = `${blocked} requests were blocked in the last five minutes; the usual number is ${Math.round(usual)}. See ${url}`;
  return [{ event: 'blocks.burst', key: 'blocks.burst', text, data: { blocked, usual, url } }];
}

async function quotaSignals(
  { storage, clock, links }: SignalDeps,
  organizationId: string,
): Promise<Signal[]> {
  const organization = await storage.organizations.get(organizationId);
  if (organization === null) return [];
  const month = new Date(clock.now()).toISOString().slice(0, 7);
  const alerts = await storage.usageAlerts.listSent(organization.ownerId, month);
  return alerts.map((alert) => ({
    event: 'quota',
    key: `quota:${month}:${alert}`,
    text:
      alert === 'overage'
        ? 'The monthly quota is used up. Requests above it are counted as overage.'
        : `${alert}% of the monthly quota is used.`,
    data: { alert, month, url: links.page('plan') },
  }));
}
