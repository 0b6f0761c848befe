import { randomBytes } from 'node:crypto';
import {
  CodedError,
  type CreateNotificationTarget,
  type NotificationTest,
  ValidationError,
} from '@csg/shared/contract';
import { hasFeature } from '../../access/require-feature.ts';
import { checkTarget } from '../../outbound/check-target.ts';
import type { GuardRules } from '../../outbound/guarded-connector.ts';
import type { NotificationTarget } from '../../storage/storage.ts';
import type { TeamCaller } from '../accounts/organizations.ts';
import { isTimeZone } from './due-at.ts';
import type { SignalDeps } from './find-signals.ts';
import { type SendNotificationsDeps, sendTo } from './send-notifications.ts';
import { watchOrganization } from './watch-organizations.ts';

export interface TargetDeps extends SignalDeps {
  readonly sender: SendNotificationsDeps['sender'];
  readonly targetRules: GuardRules;
}

const MAX_TARGETS = 50;

export async function createTarget(
  deps: TargetDeps,
  { organizationId, userId, account }: TeamCaller,
  input: CreateNotificationTarget,
): Promise<NotificationTarget> {
  const address = input.address.trim();
  const { kind, events = null, digest = null, quiet_hours: quietHours = null } = input;
  if (kind === 'mail' && !/^[^\s@]+@[^\s@]+$/.test(address)) {
    throw invalid('address', 'Enter an email address, such as security@example.com.');
  }
  if (kind !== 'mail') await checkTarget('address', address, deps.targetRules);
  if (quietHours?.time_zone !== undefined && !isTimeZone(quietHours.time_zone)) {
    throw invalid('quiet_hours', 'Unknown time zone. Enter a name such as Europe/Berlin.');
  }
  const known = await deps.storage.notifications.listTargets(organizationId);
  if (known.length === 0) await watchOrganization(deps, organizationId, false);
  const isSigned = kind === 'webhook' && hasFeature(account);
  const secret = isSigned ? `whsec_${randomBytes(24).toString('base64url')}` : null;
  return await deps.storage.transaction(async ({ organizations, notifications, audit }) => {
    // Of two concurrent calls, the second counts the target of the first.
    await organizations.lock(organizationId);
    if ((await notifications.listTargets(organizationId)).length >= MAX_TARGETS) {
      throw new CodedError('plan_limit_reached', {
        message: `An organization can have at most ${MAX_TARGETS} notification targets. Delete one first.`,
        fields: { limit: MAX_TARGETS },
      });
    }
    const target = await notifications.insertTarget(organizationId, {
      kind,
      address,
      events,
      digest,
      quietHours,
      secret,
    });
    await audit.append({
      organizationId,
      kind: 'notification_target_created',
      actor: userId,
      subject: target.id,
      data: { kind, events: events === null ? null : [...events] },
    });
    return target;
  });
}

/** Deletes a target; its queued messages are not sent. */
export async function removeTarget(
  deps: Pick<TargetDeps, 'storage'>,
  { organizationId, userId }: Pick<TeamCaller, 'organizationId' | 'userId'>,
  targetId: string,
): Promise<void> {
  await deps.storage.transaction(async ({ notifications, audit }) => {
    if (!(await notifications.removeTarget(organizationId, targetId))) throw unknownTarget();
    const entry = { organizationId, kind: 'notification_target_removed', actor: userId, subject: targetId };
    await audit.append({ ...entry, data: {} });
  });
}

/** Sends one message immediately, regardless of digest and quiet hours. */
export async function testTarget(
  deps: TargetDeps,
  organizationId: string,
  targetId: string,
): Promise<NotificationTest> {
  const target = await deps.storage.notifications.getTarget(targetId);
  if (target === null || target.organizationId !== organizationId) throw unknownTarget();
  const message = {
    id: `${targetId}-test-${deps.clock.now()}`,
    event: 'request.waiting' as const,
    text: 'This is a test of your notifications. No action is needed.',
    data: { test: true },
    createdAtMs: deps.clock.now(),
  };
  const error = await sendTo(deps, target, [message]);
  await deps.storage.notifications.noteResult(targetId, error);
  return { delivered: error === null, error };
}

function invalid(field: string, msg: string): ValidationError {
  return new ValidationError([{ loc: ['body', field], msg, type: 'value_error' }]);
}

function unknownTarget(): CodedError {
  return new CodedError('not_found', { message: 'No such notification target.' });
}
