import {
  type DashboardRequest,
  dashboardRequestSchema,
  type RequestContext,
  type RequestKind,
} from '@csg/shared/contract';
import type { AnyRequest, SecurityEvent, Storage } from '../../storage/storage.ts';
import { isoTime } from '../../wire/iso-time.ts';
import { wireOf } from '../../wire/wire-of.ts';
import { type NameDeps, readNames } from '../insight/read-names.ts';
import { rowOf } from './request-kinds.ts';

export interface RequestViewDeps extends NameDeps {
  readonly storage: NameDeps['storage'] & Pick<Storage, 'events' | 'flush'>;
}

const shown = wireOf(
  dashboardRequestSchema,
  ...([
    'title',
    'details',
    'requester',
    'decider',
    'is_own',
    'person',
    'device',
    'project',
    'event',
  ] as const),
);

/** People usually request an exception soon after the block. */
const SOON_MS = 60 * 60_000;

/**
 * Returns what approvers are shown: who requested it from where, and the event that caused it: the named one, else the
 * device's last block.
 */
export async function readRequestViews(
  deps: RequestViewDeps,
  { organizationId, userId }: { readonly organizationId: string; readonly userId: string },
  requests: readonly AnyRequest[],
): Promise<DashboardRequest[]> {
  await deps.storage.flush();
  const names = await readNames(deps, organizationId);
  const named = requests.flatMap(({ eventId }) => (eventId === null ? [] : [eventId]));
  const events = new Map(
    (await deps.storage.events.find(organizationId, named)).map((event) => [event.id, event]),
  );
  return Promise.all(
    requests.map(async (request): Promise<DashboardRequest> => {
      const row = rowOf<RequestKind>(request.kind);
      const { requestedBy, requesterUserId, decidedBy, deviceId, projectId, eventId } = request;
      const event =
        eventId === null
          ? await lastBlock(deps, organizationId, deviceId, request.createdAtMs)
          : (events.get(eventId) ?? (request.kind === 'false_positive' ? request.event : null));
      return {
        ...shown(request),
        title: row.what(request),
        details: row.details(request),
        requester: names.of(requestedBy),
        decider: decidedBy === null ? null : names.of(decidedBy),
        is_own: !row.isForRequester && [requestedBy, requesterUserId].includes(userId),
        person: names.find(requesterUserId),
        device: names.find(deviceId),
        project: names.find(projectId),
        project_id: projectId,
        event: event === null ? null : eventFacts(event),
      };
    }),
  );
}

async function lastBlock(
  { storage }: RequestViewDeps,
  organizationId: string,
  deviceId: string | null,
  atMs: number,
): Promise<SecurityEvent | null> {
  if (deviceId === null) return null;
  const filter = { deviceId, decision: 'block', fromMs: atMs - SOON_MS, toMs: atMs + 1 } as const;
  const { events } = await storage.events.page(organizationId, { filter, limit: 1 });
  return events[0] ?? null;
}

function eventFacts({
  id,
  decision,
  threatType,
  atMs,
  route,
  model,
}: SecurityEvent): RequestContext['event'] {
  return { id, decision, threat_type: threatType, at: isoTime(atMs), route, model };
}
