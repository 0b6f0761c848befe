import type { RequestContext } from '@csg/shared/contract';
import type { SecurityEvent, Storage } from '../../storage/storage.ts';
import { isoTime } from '../../wire/iso-time.ts';
import type { Names } from '../insight/read-names.ts';

export interface RequestContextDeps {
  readonly storage: Pick<Storage, 'events' | 'flush'>;
}

/** The fields shared by the three kinds of requests. */
export interface RequestWithCause {
  readonly id: string;
  readonly projectId: string | null;
  readonly deviceId?: string | null;
  readonly requestedBy: string;
  readonly requesterUserId: string | null;
  readonly eventId: string | null;
  readonly createdAtMs: number;
}

/** People usually request an exception soon after the block. */
const SOON_MS = 60 * 60_000;

/** Finds who requested it from where, and the event that caused it: the named one, else the device's last block. */
export async function readRequestContext(
  deps: RequestContextDeps,
  organizationId: string,
  names: Names,
  requests: readonly RequestWithCause[],
): Promise<ReadonlyMap<string, RequestContext>> {
  await deps.storage.flush();
  const named = requests.flatMap(({ eventId }) => (eventId === null ? [] : [eventId]));
  const events = new Map(
    (await deps.storage.events.find(organizationId, named)).map((event) => [event.id, event]),
  );
  const contexts = await Promise.all(
    requests.map(async (request): Promise<readonly [string, RequestContext]> => {
      const { id, projectId, requesterUserId, eventId } = request;
      const deviceId = request.deviceId ?? null;
      const event =
        eventId === null
          ? await lastBlock(deps, organizationId, deviceId, request.createdAtMs)
          : (events.get(eventId) ?? null);
      return [
        id,
        {
          person: names.find(requesterUserId),
          device: names.find(deviceId),
          project: names.find(projectId),
          project_id: projectId,
          event: event === null ? null : eventFacts(event),
        },
      ];
    }),
  );
  return new Map(contexts);
}

async function lastBlock(
  { storage }: RequestContextDeps,
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
