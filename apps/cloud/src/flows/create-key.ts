import { CodedError, type CreatedKey, type CreateKeyRequest, ValidationFault } from '@csg/shared/contract';
import type { Storage } from '../storage/storage.ts';
import type { Caller } from './caller.ts';
import type { Clock } from './clock.ts';
import { holdRole, requireRole } from './require-role.ts';

export interface KeyDeps {
  readonly storage: Pick<Storage, 'keys' | 'members' | 'projects' | 'users' | 'transaction'>;
  readonly clock: Clock;
  readonly makeKey: () => string;
}

/** A new key in the caller's organization. It can never do more than the key that made it. */
export async function createKey(
  deps: KeyDeps,
  caller: Caller,
  request: CreateKeyRequest,
): Promise<CreatedKey> {
  await requireRole(deps, caller, 'member');
  const creatorId = caller.userId ?? caller.account.id;
  const creator = await deps.storage.users.get(creatorId);
  if (creator === null || creator.emailVerifiedAtMs === null) throw new CodedError('email_not_verified');

  const nowMs = deps.clock.now();
  const expiresAtMs = request.expires_at === undefined ? null : Date.parse(request.expires_at);
  if (expiresAtMs !== null && !(expiresAtMs > nowMs)) {
    throw new ValidationFault([
      { loc: ['body', 'expires_at'], msg: 'Input should be in the future', type: 'datetime_future' },
    ]);
  }
  const permissions = request.permissions?.length ? request.permissions : caller.permissions;
  requireCoverage(caller, permissions);

  const projectId = request.project_id ?? caller.projectId;
  if (projectId !== null && (await deps.storage.projects.get(caller.organizationId, projectId)) === null) {
    throw new CodedError('not_found', { message: 'There is no project with this project_id.' });
  }
  const key = deps.makeKey();
  return deps.storage.transaction(async (repositories) => {
    await holdRole(repositories, caller, 'member');
    const { keysPerProject } = caller.account.plan;
    if (keysPerProject !== null) {
      await repositories.users.hold(caller.account.id);
      const count = await repositories.keys.countForProject(caller.organizationId, projectId, nowMs);
      if (count >= keysPerProject) {
        throw new CodedError('plan_limit_reached', {
          message: `The ${caller.account.planName} plan allows ${keysPerProject} key${keysPerProject === 1 ? '' : 's'} per project. Delete one or change the plan.`,
          fields: { current_plan: caller.account.planName, limit: keysPerProject },
        });
      }
    }
    const record = await repositories.keys.insert({
      organizationId: caller.organizationId,
      projectId,
      userId: creatorId,
      deviceId: null,
      name: request.name,
      permissions,
      expiresAtMs,
      key,
    });
    await repositories.audit.append({
      organizationId: caller.organizationId,
      kind: 'key_created',
      actor: caller.actor,
      subject: record.id,
      data: { project_id: projectId, permissions },
    });
    return { key, id: record.id, name: record.name, prefix: record.prefix };
  });
}

/** A restricted key may hand out, or show, only what it may do itself. */
export function requireCoverage(caller: Caller, permissions: readonly string[]): void {
  if (caller.permissions.length === 0) return;
  const own: readonly string[] = caller.permissions;
  const missing = permissions.length === 0 ? 'unrestricted' : permissions.find((name) => !own.includes(name));
  if (missing !== undefined) {
    throw new CodedError('insufficient_scope', {
      message: 'A restricted key cannot give or show more than it may do itself.',
      fields: { required_scope: missing },
    });
  }
}
