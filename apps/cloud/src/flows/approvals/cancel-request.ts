import { CodedError, type RequestKind } from '@csg/shared/contract';
import type { Caller } from '../../access/caller.ts';
import type { AnyRequest, RequestOf, Storage } from '../../storage/storage.ts';
import { isVisible, requireCanceller, stateError } from './participants.ts';
import { rowOf } from './request-kinds.ts';

/** Cancels a pending request, or revokes an approval, effective immediately. */
export async function cancelRequest<K extends RequestKind = RequestKind>(
  deps: { readonly storage: Pick<Storage, 'transaction'> },
  caller: Caller,
  request: { readonly id: string; readonly kind?: K },
): Promise<RequestOf<K>> {
  const { organizationId, actor } = caller;
  return deps.storage.transaction(async (repositories) => {
    const { id, kind } = request;
    const found = (await repositories.requests.get(organizationId, id, kind)) as AnyRequest | null;
    if (found === null || !isVisible(caller, found)) throw unknownRequest(kind);
    const { name, audit, subject } = rowOf<RequestKind>(found.kind);
    await requireCanceller({ storage: repositories }, caller, found);
    if (audit.cancelled === undefined) {
      throw new CodedError('invalid_state', {
        message: `A ${name} is approved or denied, never cancelled.`,
        fields: { status: found.status },
      });
    }
    const cancelled = await repositories.requests.cancel(organizationId, id, actor);
    if (cancelled === null) throw stateError(name, found.status);
    await repositories.audit.append({
      organizationId,
      kind: audit.cancelled,
      actor,
      subject: subject(cancelled),
      data: { was: found.status },
    });
    return cancelled as RequestOf<K>;
  });
}

/** Reads a request that this caller may see. */
export async function readRequest<K extends RequestKind = RequestKind>(
  { storage }: { readonly storage: Pick<Storage, 'requests'> },
  caller: Pick<Caller, 'organizationId' | 'deviceId'>,
  { id, kind }: { readonly id: string; readonly kind?: K },
): Promise<RequestOf<K>> {
  const found = await storage.requests.get<K>(caller.organizationId, id, kind);
  if (found === null || !isVisible(caller, found)) throw unknownRequest(kind);
  return found;
}

function unknownRequest(kind: RequestKind | undefined): CodedError {
  return new CodedError('not_found', {
    message: kind === undefined ? 'No such request.' : rowOf(kind).missing,
  });
}
