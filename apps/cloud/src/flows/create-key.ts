import {
  CodedError,
  type CreatedKey,
  type CreateKeyRequest,
  type PlanName,
  ValidationError,
} from '@csg/shared/contract';
import type { Caller } from '../access/caller.ts';
import {
  lowerOf,
  readCallerExpiry,
  readCallerLimits,
  requireCoverage,
  requireModels,
} from '../access/key-authority.ts';
import { requireRole, requireRoleForUpdate } from '../access/require-role.ts';
import type { Repositories, Storage } from '../storage/storage.ts';
import type { Clock } from './clock.ts';

export interface KeyDeps {
  readonly storage: Pick<Storage, 'keys' | 'members' | 'projects' | 'users' | 'transaction'>;
  readonly clock: Clock;
  readonly makeKey: () => string;
}

/** Creates a key in the caller's organization. It never has more permissions than the creating key, nor outlives it. */
export async function createKey(
  deps: KeyDeps,
  caller: Caller,
  request: CreateKeyRequest,
): Promise<CreatedKey> {
  const projectId = request.project_id ?? caller.projectId;
  await requireRole(deps, caller, 'member', { projectId });
  const creatorId = caller.userId ?? caller.account.id;
  const creator = await deps.storage.users.get(creatorId);
  if (creator === null || creator.emailVerifiedAtMs === null) throw new CodedError('email_not_verified');

  const nowMs = deps.clock.now();
  const expiresAtMs = request.expires_at === undefined ? null : Date.parse(request.expires_at);
  if (expiresAtMs !== null && !(expiresAtMs > nowMs)) {
    throw new ValidationError([
      { loc: ['body', 'expires_at'], msg: 'Input should be in the future', type: 'datetime_future' },
    ]);
  }
  const permissions = request.permissions?.length ? request.permissions : caller.permissions;
  requireCoverage(caller, permissions);

  if (projectId !== null && (await deps.storage.projects.get(caller.organizationId, projectId)) === null) {
    throw new CodedError('not_found', { message: 'No such project: project_id is unknown.' });
  }
  const key = deps.makeKey();
  return deps.storage.transaction(async (repositories) => {
    await requireRoleForUpdate(repositories, caller, 'member', { projectId });
    await requireCapacity(repositories, caller, projectId, nowMs);
    const own = await readCallerLimits(repositories, caller);
    const limits = {
      allowedModels: request.allowed_models?.length ? request.allowed_models : own.allowedModels,
      dailyTokenLimit: lowerOf(request.daily_token_limit ?? null, own.dailyTokenLimit),
    };
    requireModels(own, limits);
    const record = await repositories.keys.insert({
      organizationId: caller.organizationId,
      projectId,
      userId: creatorId,
      deviceId: null,
      name: request.name,
      permissions,
      expiresAtMs: lowerOf(expiresAtMs, await readCallerExpiry(repositories, caller, nowMs)),
      limits,
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

/** Enforces the plan's limit on keys over all instances: concurrent creators wait for each other. */
async function requireCapacity(
  repositories: Pick<Repositories, 'keys' | 'users'>,
  { account, organizationId }: Caller,
  projectId: string | null,
  nowMs: number,
): Promise<void> {
  const { keys, keysPerProject } = account.plan;
  if (keys === null && keysPerProject === null) return;
  await repositories.users.lock(account.id);
  if (keys !== null && (await repositories.keys.countForAccount(account.id, nowMs)) >= keys) {
    throw limitReached(account.planName, keys, 'in all');
  }
  if (keysPerProject === null) return;
  if ((await repositories.keys.countForProject(organizationId, projectId, nowMs)) >= keysPerProject) {
    throw limitReached(account.planName, keysPerProject, 'per project');
  }
}

function limitReached(planName: PlanName, limit: number, per: string): CodedError {
  return new CodedError('plan_limit_reached', {
    message: `The ${planName} plan allows ${limit} key${limit === 1 ? '' : 's'} ${per}. Delete one or change the plan.`,
    fields: { current_plan: planName, limit },
  });
}
