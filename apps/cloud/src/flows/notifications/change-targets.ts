import { randomBytes } from 'node:crypto';
import {
  CodedError,
  type CreateNotificationTarget,
  type NotificationTest,
  ValidationError,
} from '@csg/shared/contract';
import type { Admin } from '../../access/caller.ts';
import { hasFeature } from '../../access/require-feature.ts';
import { checkTarget } from '../../outbound/check-target.ts';
import type { GuardRules } from '../../outbound/guarded-connector.ts';
import type { EndpointOf, Endpoints } from '../../storage/storage.ts';
import { type TestDeps, testEndpoint } from '../../webhooks/outbound/endpoint-acts.ts';
import type { TeamCaller } from '../accounts/organizations.ts';
import type { Clock } from '../clock.ts';
import { isTimeZone } from './due-at.ts';
import type { SignalDeps } from './find-signals.ts';
import { watchOrganization } from './watch-organizations.ts';

export interface TargetDeps extends SignalDeps, Omit<TestDeps, 'storage' | 'clock'> {
  readonly clock: Clock;
  readonly targetRules: GuardRules;
}

export interface CreatedTarget {
  readonly target: EndpointOf<'notification'>;
  readonly secret: string | null;
}

const MAX_TARGETS = 50;

export async function createTarget(
  deps: TargetDeps,
  { organizationId, userId, account }: TeamCaller,
  input: CreateNotificationTarget,
): Promise<CreatedTarget> {
  const address = input.address.trim();
  const { kind, events = null, digest = null, quiet_hours: quietHours = null } = input;
  if (kind === 'mail' && !/^[^\s@]+@[^\s@]+$/.test(address)) {
    throw invalid('address', 'Enter an email address, such as security@example.com.');
  }
  if (kind !== 'mail') await checkTarget('address', address, deps.targetRules);
  if (quietHours?.time_zone !== undefined && !isTimeZone(quietHours.time_zone)) {
    throw invalid('quiet_hours', 'Unknown time zone. Enter a name such as Europe/Berlin.');
  }
  const known = await deps.storage.endpoints.list(organizationId, { kind: 'notification' });
  if (known.length === 0) await watchOrganization(deps, organizationId, false);
  const isSigned = kind === 'webhook' && hasFeature(account);
  const secret = isSigned ? `whsec_${randomBytes(24).toString('base64url')}` : null;
  return await deps.storage.transaction(async ({ organizations, endpoints, audit }) => {
    // Of two concurrent calls, the second counts the target of the first.
    await organizations.lock(organizationId);
    if ((await endpoints.list(organizationId, { kind: 'notification' })).length >= MAX_TARGETS) {
      throw new CodedError('plan_limit_reached', {
        message: `An organization can have at most ${MAX_TARGETS} notification targets. Delete one first.`,
        fields: { limit: MAX_TARGETS },
      });
    }
    const target = await endpoints.insert(organizationId, 'notification', {
      ...{ url: address, isEnabled: true, events, secret },
      ...{ form: kind, digest, quietHours },
    });
    await audit.append({
      organizationId,
      kind: 'notification_target_created',
      actor: userId,
      subject: target.id,
      data: { kind, events: events === null ? null : [...events] },
    });
    return { target, secret };
  });
}

/** Deletes a target; its queued messages are not sent. */
export async function removeTarget(
  deps: Pick<TargetDeps, 'storage'>,
  { organizationId, userId }: Pick<TeamCaller, 'organizationId' | 'userId'>,
  targetId: string,
): Promise<void> {
  await deps.storage.transaction(async ({ endpoints, audit }) => {
    await findTarget(endpoints, organizationId, targetId);
    if (!(await endpoints.remove(organizationId, targetId))) throw unknownTarget();
    const entry = { organizationId, kind: 'notification_target_removed', actor: userId, subject: targetId };
    await audit.append({ ...entry, data: {} });
  });
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

function invalid(field: string, msg: string): ValidationError {
  return new ValidationError([{ loc: ['body', field], msg, type: 'value_error' }]);
}

function unknownTarget(): CodedError {
  return new CodedError('not_found', { message: 'No such notification target.' });
}
