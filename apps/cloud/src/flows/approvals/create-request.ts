import {
  type CreateException,
  type CreateToolRequest,
  DEFAULT_EXCEPTION_MINUTES,
  type RequestKind,
  threatToExcept,
} from '@csg/shared/contract';
import { hostName } from '@csg/shared/detection';
import type { Caller } from '../../access/caller.ts';
import type {
  Exception,
  NewRequest,
  Repositories,
  Requester,
  RequestOf,
  Storage,
  ToolRequest,
} from '../../storage/storage.ts';
import { requesterOf, requireFewPending } from './participants.ts';
import { rowOf } from './request-kinds.ts';

export interface CreateRequestDeps {
  readonly storage: Pick<Storage, 'devices' | 'events' | 'flush' | 'transaction'>;
}

type Contents<K extends RequestKind> = Omit<NewRequest<K>, keyof Requester | 'endsInMs'>;

/** Requests a temporary exception to a decision. Nothing changes until another person approves it. */
export async function requestException(
  deps: CreateRequestDeps,
  caller: Caller,
  request: CreateException,
): Promise<Exception> {
  // A policy says itself which findings it decides, and the request names it in words.
  const allFindings = request.all_findings ?? Boolean(request.policy_id);
  return await createRequest(deps, caller, 'exception', {
    destinationHost: request.destination_host,
    subject: hostName(request.destination_host),
    policyId: request.policy_id || null,
    threat:
      request.threat ||
      (request.all_findings === true ? null : await threatOf(deps, caller, request.event_id)),
    allFindings,
    reasonCategory: request.reason_category ?? null,
    justification: request.justification ?? null,
    eventId: request.event_id || null,
    requestedMinutes: request.requested_minutes ?? DEFAULT_EXCEPTION_MINUTES,
  });
}

/** What an event was blocked for: an exception because of it is for nothing else, and lets the same text pass. */
async function threatOf(
  { storage }: CreateRequestDeps,
  { organizationId, deviceId }: Caller,
  eventId: string | undefined,
): Promise<string | null> {
  if (!eventId) return null;
  await storage.flush();
  const [event] = await storage.events.find(organizationId, [eventId]);
  if (event === undefined || (deviceId !== null && event.deviceId !== deviceId)) return null;
  const found = event.findings.filter(({ reportOnly }) => reportOnly !== true).map(({ type }) => type);
  return threatToExcept(event.threatType, found);
}

/** Requests that a blocked AI tool be allowed. */
export function requestTool(
  deps: CreateRequestDeps,
  caller: Caller,
  request: CreateToolRequest,
): Promise<ToolRequest> {
  return createRequest(deps, caller, 'tool_request', {
    requestedHost: request.requested_host,
    requestedName: request.requested_name || null,
    justification: request.justification ?? null,
    eventId: request.event_id || null,
  });
}

/** Creates a request of the caller that another person decides. */
async function createRequest<K extends RequestKind>(
  deps: CreateRequestDeps,
  caller: Caller,
  kind: K,
  contents: Contents<K>,
): Promise<RequestOf<K>> {
  const requester = await requesterOf(deps, caller);
  const { organizationId, deviceId } = caller;
  return deps.storage.transaction(async (repositories) => {
    if (deviceId !== null) {
      requireFewPending(await repositories.requests.countPending(organizationId, kind, { deviceId }));
    }
    return insertRequest(repositories, caller, kind, { ...requester, ...contents });
  });
}

/** Stores a new request, with its audit row. */
export async function insertRequest<K extends RequestKind>(
  repositories: Pick<Repositories, 'audit' | 'requests'>,
  { organizationId, actor }: Pick<Caller, 'organizationId' | 'actor'>,
  kind: K,
  contents: Requester & Contents<K>,
): Promise<RequestOf<K>> {
  const row = rowOf(kind);
  const input = { ...contents, endsInMs: row.waitsMs } as unknown as NewRequest<K>;
  const made = await repositories.requests.insert(organizationId, kind, input);
  await repositories.audit.append({
    ...{ organizationId, actor, kind: row.audit.created, subject: row.subject(made), data: row.data(made) },
  });
  return made;
}
