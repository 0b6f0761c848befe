import {
  type ChangePolicy,
  CodedError,
  type CreatePolicy,
  type PolicyDetail,
  type PolicyRules,
  type PolicyWarning,
  ValidationError,
} from '@csg/shared/contract';
import { finish } from '@csg/shared/text';
import type { Admin } from '../../access/caller.ts';
import type { JsonObject, Policy, PolicyInput, Repositories, Storage } from '../../storage/storage.ts';
import { checkPolicy } from './check-policy.ts';
import { FIRST_PRIORITY, inputOf, policyToInput, unknownProject } from './policy-input.ts';
import { policyDetail } from './policy-records.ts';
import { type PreviewDeps, warnOfEffect } from './preview-policy.ts';

export interface PolicyDeps extends PreviewDeps {
  readonly storage: PreviewDeps['storage'] & Pick<Storage, 'transaction'>;
  /** Makes the next request of every key use the saved policies. */
  readonly forgetKeys: () => void;
}

export type SavedPolicy = PolicyDetail & { readonly warnings: PolicyWarning[] };

const MAX_POLICIES = 200;
/** For all policies of an account: each is tried on every text, and all are loaded for each key every second. */
const MAX_PATTERNS = 200;
const MAX_DOMAINS = 5_000;
const STEP = 10;

/** `uniqueName`: throws `invalid_state` if a policy of this name already applies in the same scope. */
export async function createPolicy(
  deps: PolicyDeps,
  admin: Admin,
  request: CreatePolicy,
  { uniqueName = false } = {},
): Promise<SavedPolicy> {
  const { organizationId } = admin;
  const projectId = request.project_id ?? null;
  const input = inputOf(request);
  const warnings = await checkInTurns(deps, admin, input);
  const created = await deps.storage.transaction(async (repositories) => {
    // Of two concurrent creations, the second sees the name, the priority and the count of the first.
    await repositories.organizations.lock(organizationId);
    if (projectId !== null && (await repositories.projects.get(organizationId, projectId)) === null) {
      throw unknownProject();
    }
    const own = await listOwn(repositories, organizationId);
    if (uniqueName && own.some((one) => one.name === input.name && one.projectId === projectId)) {
      throw new CodedError('invalid_state', {
        message: `A policy named "${input.name}" already exists in this scope.`,
      });
    }
    if (own.length >= MAX_POLICIES) {
      throw new CodedError('plan_limit_reached', {
        message: `An account can have at most ${MAX_POLICIES} policies. Delete or combine some.`,
        fields: { limit: MAX_POLICIES },
      });
    }
    requireFewRules([...own, input]);
    // The newest policy has the highest priority.
    const priority = Math.max(FIRST_PRIORITY, ...own.map((policy) => policy.priority)) + STEP;
    const rows = await repositories.policies.insertMany(organizationId, projectId, [{ ...input, priority }]);
    const made = rows[0]!;
    await saveVersion(repositories, admin.id, made);
    await record(repositories, admin, 'policy_created', made);
    return made;
  });
  deps.forgetKeys();
  return await saved(deps, created, warnings);
}

/** Changes only the given fields. If two requests change the same version, the second is rejected. */
export async function changePolicy(
  deps: PolicyDeps,
  admin: Admin,
  policyId: string,
  request: ChangePolicy,
): Promise<SavedPolicy> {
  return await replacePolicy(deps, admin, policyId, request.version, (before) => ({
    ...policyToInput(before),
    ...request,
  }));
}

/** Restores an earlier version as a new version. */
export async function restorePolicy(
  deps: PolicyDeps,
  admin: Admin,
  policyId: string,
  version: number,
): Promise<SavedPolicy> {
  const versions = await deps.storage.policies.listVersions(admin.organizationId, policyId);
  const found = versions.find((one) => one.version === version);
  if (found === undefined) {
    throw new CodedError('not_found', { message: `This policy has no stored version ${version}.` });
  }
  return await replacePolicy(deps, admin, policyId, undefined, () => found.policy);
}

async function replacePolicy(
  deps: PolicyDeps,
  admin: Admin,
  policyId: string,
  version: number | undefined,
  changedFrom: (before: Policy) => CreatePolicy,
): Promise<SavedPolicy> {
  const { organizationId } = admin;
  // Before the transaction, which others wait for.
  const known = await findOwn(deps.storage, organizationId, policyId);
  let warnings = await checkInTurns(deps, admin, inputOf(changedFrom(known)));
  const changed = await deps.storage.transaction(async (repositories) => {
    const before = await findOwn(repositories, organizationId, policyId);
    const input = inputOf(changedFrom(before));
    if (before.version !== known.version) warnings = finish(checkPolicy(input));
    const others = (await listOwn(repositories, organizationId)).filter(({ id }) => id !== policyId);
    requireFewRules([...others, input]);
    if (version !== undefined && version !== before.version) throw changedMeanwhile();
    const change = { ...input, priority: before.priority };
    const after = await ifUnchanged(
      repositories.policies.update(organizationId, policyId, change, before.version),
    );
    await saveVersion(repositories, null, before);
    await saveVersion(repositories, admin.id, after);
    await record(repositories, admin, 'policy_changed', after, before);
    return after;
  });
  deps.forgetKeys();
  return await saved(deps, changed, warnings);
}

export async function deletePolicy(deps: PolicyDeps, admin: Admin, policyId: string): Promise<void> {
  await deps.storage.transaction(async (repositories) => {
    const found = await findOwn(repositories, admin.organizationId, policyId);
    await repositories.policies.remove(admin.organizationId, policyId);
    await record(repositories, admin, 'policy_deleted', found);
  });
  deps.forgetKeys();
}

/** Reorders all policies, highest priority first. */
export async function reorderPolicies(
  deps: PolicyDeps,
  admin: Admin,
  policyIds: readonly string[],
): Promise<PolicyDetail[]> {
  const { organizationId } = admin;
  const ordered = await deps.storage.transaction(async (repositories) => {
    const own = new Map((await listOwn(repositories, organizationId)).map((policy) => [policy.id, policy]));
    const isWhole = policyIds.length === own.size && new Set(policyIds).size === own.size;
    if (!isWhole || !policyIds.every((id) => own.has(id))) {
      throw new CodedError('invalid_state', {
        message: 'The policies have changed meanwhile. Reload them, then reorder.',
      });
    }
    // Updated in a fixed order, so that concurrent changes wait for each other without a deadlock.
    for (const id of [...policyIds].sort()) {
      const priority = FIRST_PRIORITY + (policyIds.length - policyIds.indexOf(id)) * STEP;
      const policy = own.get(id)!;
      if (policy.priority === priority) continue;
      own.set(id, await repositories.policies.update(organizationId, id, { priority }));
    }
    const data = { policy_ids: [...policyIds] };
    const entry = { organizationId, kind: 'policies_reordered', actor: admin.id, subject: organizationId };
    await repositories.audit.append({ ...entry, data });
    return policyIds.map((id) => own.get(id)!);
  });
  deps.forgetKeys();
  return ordered.map(policyDetail);
}

async function saved(
  deps: PolicyDeps,
  policy: Policy,
  warnings: readonly PolicyWarning[],
): Promise<SavedPolicy> {
  const effect = policy.isActive ? await warnOfEffect(deps, policy, warnings) : [];
  return { ...policyDetail(policy), warnings: [...effect] };
}

function checkInTurns(
  { pacedTurns }: Pick<PolicyDeps, 'pacedTurns'>,
  { organizationId }: Pick<Admin, 'organizationId'>,
  input: PolicyInput,
): Promise<readonly PolicyWarning[]> {
  return pacedTurns.run({ organizationId, deviceId: null }, checkPolicy(input));
}

async function findOwn(
  { policies }: Pick<Repositories, 'policies'>,
  organizationId: string,
  policyId: string,
): Promise<Policy> {
  const found = await policies.get(organizationId, policyId);
  if (found === null) throw new CodedError('not_found', { message: 'No such policy.' });
  if (!found.fromPreset) return found;
  throw new CodedError('invalid_state', {
    message:
      "This policy comes from the project's preset and is read-only. Change the preset, or add a policy that overrides it.",
  });
}

function requireFewRules(policies: readonly { readonly rules?: PolicyRules }[]): void {
  for (const [what, fields, max] of [
    ['patterns', ['patterns'], MAX_PATTERNS],
    ['domains', ['blocked_domains', 'allowed_domains'], MAX_DOMAINS],
  ] as const) {
    const lists = policies.flatMap(({ rules }) => fields.map((field) => rules?.[field]?.length ?? 0));
    const count = lists.reduce((sum, length) => sum + length, 0);
    if (count <= max) continue;
    const msg = `The policies of an account can have at most ${max} ${what} in total; these would make ${count}.`;
    throw new ValidationError([{ loc: ['body', fields[0]], msg, type: 'too_many' }]);
  }
}

async function listOwn(
  { policies }: Pick<Repositories, 'policies'>,
  organizationId: string,
): Promise<Policy[]> {
  return (await policies.list(organizationId)).filter(({ fromPreset }) => !fromPreset);
}

/** Stores a version, unless it exists. A change also stores the previous version, which may predate the table. */
async function saveVersion(
  { policies }: Pick<Repositories, 'policies'>,
  changedBy: string | null,
  policy: Policy,
): Promise<void> {
  await policies.saveVersion(policy.organizationId, {
    policyId: policy.id,
    version: policy.version,
    changedBy,
    policy: policyToInput(policy),
    atMs: policy.updatedAtMs,
  });
}

/** Records the effect of a policy without its name and description; for a change also the effect before. */
async function record(
  { audit }: Pick<Repositories, 'audit'>,
  admin: Admin,
  kind: string,
  policy: Policy,
  before?: Policy,
): Promise<void> {
  await audit.append({
    organizationId: admin.organizationId,
    kind,
    actor: admin.id,
    subject: policy.id,
    data: { ...auditDataOf(policy), ...(before !== undefined && { before: auditDataOf(before) }) },
  });
}

function auditDataOf({ projectId, action, isActive, threatTypes, rules, version }: Policy): JsonObject {
  return {
    project_id: projectId,
    action,
    mode: rules.mode ?? 'enforce',
    is_active: isActive,
    threat_types: [...threatTypes],
    patterns: rules.patterns?.length ?? 0,
    domains: (rules.blocked_domains?.length ?? 0) + (rules.allowed_domains?.length ?? 0),
    ...(rules.allowed_values === undefined ? {} : { allowed_values: rules.allowed_values.length }),
    version,
  };
}

async function ifUnchanged(update: Promise<Policy>): Promise<Policy> {
  try {
    return await update;
  } catch (error) {
    throw (error as { code?: unknown }).code === 'conflict' ? changedMeanwhile() : error;
  }
}

function changedMeanwhile(): CodedError {
  return new CodedError('invalid_state', {
    message: 'Another person has changed this policy meanwhile. Reload it to see the change.',
  });
}
