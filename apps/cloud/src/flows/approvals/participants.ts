import { CodedError } from '@csg/shared/contract';
import type { Admin, Caller } from '../../access/caller.ts';
import { requireRole } from '../../access/require-role.ts';
import type { Requester, Storage } from '../../storage/storage.ts';
import type { KindRow } from './request-kinds.ts';

/** Maximum number of pending requests per device, because the account's limit does not apply to devices. */
const MAX_PENDING = 100;

/** A device's request applies to that device only, a key's request to its project. */
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
    message: `${MAX_PENDING} requests of this device are pending, which is the limit. Cancel some, or wait for a decision.`,
    fields: { retry_after: 60 },
    headers: { 'Retry-After': '60' },
  });
}

/** Approvers are owners, admins, and admins of the project, but never for their own requests, unless an agent asks. */
export async function requireApprover(
  deps: { readonly storage: Pick<Storage, 'members'> },
  approver: Admin,
  request: Requester,
  { isForRequester, isForTokens, name }: Pick<KindRow<never>, 'isForRequester' | 'isForTokens' | 'name'>,
): Promise<void> {
  await requireRole(deps, approver, 'admin', { projectId: request.projectId });
  if (approver.isByToken === true && !isForTokens) {
    throw new CodedError('insufficient_scope', {
      message: `A person must decide ${name}; organization tokens cannot.`,
      fields: { required_scope: 'none' },
    });
  }
  if (isForRequester) return;
  const isOwn = approver.userId !== null && approver.userId === request.requesterUserId;
  if (isOwn || approver.id === request.requestedBy) {
    // The operator's command acts for the owner of the first account, so it is no way on for that person's requests.
    const isCommand = approver.id === 'operator';
    throw new CodedError('insufficient_role', {
      message: isCommand
        ? 'You cannot approve your own request: this command acts for the owner of the first account, who made it. Another admin of this organization must decide it: invite one on the page Members.'
        : 'You cannot approve your own request. Another admin of this organization must decide it: invite one on the page Members, or ask the operator to run `gateway requests approve`.',
      fields: { required_role: 'admin' },
    });
  }
}

/** A device may cancel its own requests; a key needs the role of member, or to belong to the requester. */
export async function requireCanceller(
  deps: { readonly storage: Pick<Storage, 'members'> },
  caller: Caller,
  request: Requester,
): Promise<void> {
  if (caller.deviceId !== null) return;
  const isOwn = caller.userId !== null && caller.userId === request.requesterUserId;
  if (!isOwn) await requireRole(deps, caller, 'member', { projectId: request.projectId });
}

/** Returns whether the caller may see the request: devices see only their own, keys all of their organization. */
export function isVisible(caller: Pick<Caller, 'deviceId'>, request: Requester): boolean {
  return caller.deviceId === null || caller.deviceId === request.deviceId;
}

export function stateError(subject: string, status: string): CodedError {
  return new CodedError('invalid_state', {
    message: `This ${subject} is already ${status}.`,
    fields: { status },
  });
}
