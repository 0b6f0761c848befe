import { CodedError } from '@csg/shared/contract';
import type { Admin, Caller } from '../../access/caller.ts';
import { requireRole } from '../../access/require-role.ts';
import type { Requester, Storage } from '../../storage/storage.ts';

/** How many undecided requests one device may have: a device is not held to the account's limit. */
const MAX_PENDING = 100;

/** What is asked for by a device counts for it alone; by a key for its project. */
export async function requesterOf(
  deps: { readonly storage: Pick<Storage, 'devices'> },
  caller: Caller,
): Promise<Requester> {
  const { organizationId, projectId, deviceId } = caller;
  const device = deviceId === null ? null : await deps.storage.devices.get(organizationId, deviceId);
  const userId = deviceId === null ? caller.userId : (device?.userId ?? null);
  return {
    projectId,
    deviceId,
    requestedBy: deviceId ?? userId ?? caller.actor,
    requesterUserId: userId,
  };
}

export function requireFewPending(pending: number): void {
  if (pending < MAX_PENDING) return;
  throw new CodedError('rate_limit_exceeded', {
    message: `${MAX_PENDING} requests of this device wait for a decision. Cancel some, or wait for one.`,
    fields: { retry_after: 60 },
    headers: { 'Retry-After': '60' },
  });
}

/** Admins and owners decide, and admins of the project, but never their own requests. */
export async function requireApprover(
  deps: { readonly storage: Pick<Storage, 'members'> },
  approver: Admin,
  request: Requester,
): Promise<void> {
  await requireRole(deps, approver, 'admin', { projectId: request.projectId });
  const isOwn = approver.userId !== null && approver.userId === request.requesterUserId;
  if (isOwn || approver.id === request.requestedBy) {
    throw new CodedError('insufficient_role', {
      message: 'You cannot approve your own request: another admin of this organization must decide it.',
      fields: { required_role: 'admin' },
    });
  }
}

/** A device withdraws its own; of keys, those of members, or the one who asked. */
export async function requireCanceller(
  deps: { readonly storage: Pick<Storage, 'members'> },
  caller: Caller,
  request: Requester,
): Promise<void> {
  if (caller.deviceId !== null) return;
  const isOwn = caller.userId !== null && caller.userId === request.requesterUserId;
  if (!isOwn) await requireRole(deps, caller, 'member', { projectId: request.projectId });
}

/** Whether this caller may know of it: a device of its own, a key of its organization's. */
export function isVisible(caller: Caller, request: Requester): boolean {
  return caller.deviceId === null || caller.deviceId === request.deviceId;
}

export function stateError(subject: string, status: string): CodedError {
  return new CodedError('invalid_state', {
    message: `This ${subject} is ${status} already.`,
    fields: { status },
  });
}

/** A host or an id, for the record; anything else (a caller may write what it likes) is not repeated there. */
export function wordForRecord(text: string | null): string | null {
  return text !== null && /^[\w.:[\]-]{1,255}$/.test(text) ? text : null;
}
