import { isDeepStrictEqual } from 'node:util';
import { CodedError, type CreatePolicy, type PolicyVersionList } from '@csg/shared/contract';
import type { Storage } from '../../storage/storage.ts';
import { isoTime } from '../../wire/iso-time.ts';
import type { NameDeps } from '../insight/read-names.ts';
import { readNames } from '../insight/read-names.ts';
import { policyToInput } from './policy-input.ts';

export interface PolicyVersionDeps extends NameDeps {
  readonly storage: NameDeps['storage'] & Pick<Storage, 'policies'>;
}

type Version = PolicyVersionList['versions'][number];

/** Returns the versions of a policy and the changes in each. */
export async function readPolicyVersions(
  deps: PolicyVersionDeps,
  organizationId: string,
  policyId: string,
): Promise<PolicyVersionList> {
  const policy = await deps.storage.policies.get(organizationId, policyId);
  if (policy === null) throw new CodedError('not_found', { message: 'No such policy.' });
  const [stored, names] = await Promise.all([
    deps.storage.policies.listVersions(organizationId, policyId),
    readNames(deps, organizationId),
  ]);
  const isStored = stored.some(({ version }) => version === policy.version);
  // Reordering also increases the version, but stores no row.
  const current = {
    version: policy.version,
    changedBy: null,
    policy: policyToInput(policy),
    atMs: policy.updatedAtMs,
  };
  const versions = isStored ? stored : [current, ...stored];
  return {
    versions: versions.map(({ version, changedBy, policy: said, atMs }, index) => ({
      version,
      at: isoTime(atMs),
      changed_by: changedBy === null ? null : names.of(changedBy),
      is_current: version === policy.version,
      policy: said,
      changes: index + 1 < versions.length ? changesBetween(versions[index + 1]!.policy, said) : [],
    })),
  };
}

function changesBetween(before: CreatePolicy, after: CreatePolicy): Version['changes'] {
  const [old, now] = [flat(before), flat(after)];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((field) => !isDeepStrictEqual(old[field], now[field]))
    .map((field) => ({ field, before: old[field] ?? null, after: now[field] ?? null }));
}

/** Flattens the conditions, so that each is compared separately. */
function flat({ conditions = {}, ...rest }: CreatePolicy): Readonly<Record<string, unknown>> {
  const named = Object.entries(conditions).map(([name, value]) => [`conditions.${name}`, value]);
  return { ...rest, ...Object.fromEntries(named) };
}
