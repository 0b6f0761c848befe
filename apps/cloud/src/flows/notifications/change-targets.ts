import {
  CodedError,
  type CreateNotificationTarget,
  type NewEndpoint,
  type NotificationTest,
} from '@csg/shared/contract';
import type { Admin } from '../../access/caller.ts';
import type { EndpointOf, Endpoints } from '../../storage/storage.ts';
import { type TestDeps, testEndpoint } from '../../webhooks/outbound/endpoint-acts.ts';
import type { Clock } from '../clock.ts';
import {
  addEndpoint,
  type ChangeEndpointDeps,
  type EndpointAdmin,
  removeEndpoint,
  type SavedEndpoint,
} from '../endpoints/change-endpoint.ts';
import type { SignalDeps } from './find-signals.ts';
import { watchOrganization } from './watch-organizations.ts';

export interface TargetDeps extends SignalDeps, Omit<TestDeps, 'storage' | 'clock'>, ChangeEndpointDeps {
  readonly storage: SignalDeps['storage'] & ChangeEndpointDeps['storage'] & TestDeps['storage'];
  readonly clock: Clock;
}

/** Adds an endpoint of any kind. A first notification target is not told of what is there already. */
export async function addAnyEndpoint(
  deps: TargetDeps,
  admin: EndpointAdmin,
  input: NewEndpoint,
): Promise<SavedEndpoint> {
  const { organizationId } = admin;
  const known = input.kind === 'notification' ? { kind: input.kind } : null;
  if (known !== null && (await deps.storage.endpoints.list(organizationId, known)).length === 0) {
    await watchOrganization(deps, organizationId, false);
  }
  return await addEndpoint(deps, admin, input);
}

export async function createTarget(
  deps: TargetDeps,
  admin: EndpointAdmin,
  { kind: form, ...input }: CreateNotificationTarget,
): Promise<SavedEndpoint<'notification'>> {
  const saved = await addAnyEndpoint(deps, admin, { kind: 'notification', form, ...input });
  return saved as SavedEndpoint<'notification'>;
}

/** Deletes a target; its queued messages are not sent. */
export async function removeTarget(deps: TargetDeps, admin: Admin, targetId: string): Promise<void> {
  await removeEndpoint(deps, admin, await findTarget(deps.storage.endpoints, admin.organizationId, targetId));
}

/** Sends one message immediately, regardless of digest and quiet hours. */
export async function testTarget(
  deps: TargetDeps,
  admin: Admin,
  targetId: string,
): Promise<NotificationTest> {
  const target = await findTarget(deps.storage.endpoints, admin.organizationId, targetId);
  const { status, lastError } = await testEndpoint(deps, admin, target);
  return { delivered: status === 'delivered', error: lastError };
}

async function findTarget(
  endpoints: Pick<Endpoints, 'get'>,
  organizationId: string,
  targetId: string,
): Promise<EndpointOf<'notification'>> {
  const target = await endpoints.get(organizationId, targetId);
  if (target?.kind !== 'notification') throw unknownTarget();
  return target;
}

function unknownTarget(): CodedError {
  return new CodedError('not_found', { message: 'No such notification target.' });
}
