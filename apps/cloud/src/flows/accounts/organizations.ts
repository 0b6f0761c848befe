import { CodedError, type RoleMapRequest, ValidationError } from '@csg/shared/contract';
import { requireFeature } from '../../access/require-feature.ts';
import type { Storage } from '../../storage/storage.ts';
import { parseRange } from '../address-list.ts';
import { type FindSsoDeps, findSso } from '../single-sign-on/find-sso.ts';
import { changeRoleMap } from './change-role-map.ts';
import { makeOrganization } from './create-account.ts';
import type { Membership, SignedIn } from './read-session.ts';

/** A member of an organization, with the role that the route requires. */
export interface TeamCaller extends Membership {
  readonly userId: string;
  readonly session: SignedIn;
}

const MAX_OWNED = 50;

/** Creates a team organization. If sign-up is by invitation only, only the operator can create more of them. */
export async function createOrganization(
  deps: { readonly storage: Storage; readonly signUp: 'open' | 'invitation' },
  person: SignedIn,
  name: string,
): Promise<string> {
  if (!person.isEmailVerified) {
    throw new CodedError('email_not_verified', {
      message: 'Confirm your email address before you create an organization.',
    });
  }
  const operator = await deps.storage.organizations.findOperator();
  if (deps.signUp !== 'open' && operator?.ownerId !== person.userId) {
    throw new CodedError('sign_up_closed', {
      message: 'Only the operator of this service can create organizations. Request one from the operator.',
    });
  }
  return await deps.storage.transaction(async (repositories) => {
    await repositories.users.lock(person.userId);
    if ((await repositories.organizations.listOwned(person.userId)).length >= MAX_OWNED) {
      throw new CodedError('plan_limit_reached', {
        message: `An account can own at most ${MAX_OWNED} organizations.`,
        fields: { limit: MAX_OWNED },
      });
    }
    const id = await makeOrganization(repositories, person.userId, { kind: 'team', name: name.trim() });
    await repositories.members.choose(id, person.userId);
    await repositories.sessions.select(person.sessionId, id);
    return id;
  });
}

/** Sets the organization that this session and the next sign-in open. Those of others are reported as not found. */
export async function selectOrganization(
  deps: { readonly storage: Pick<Storage, 'members' | 'sessions'> },
  person: SignedIn,
  organizationId: string,
): Promise<void> {
  if ((await deps.storage.members.get(organizationId, person.userId)) === null) {
    throw new CodedError('not_found', { message: 'No such organization among yours.' });
  }
  await deps.storage.members.choose(organizationId, person.userId);
  await deps.storage.sessions.select(person.sessionId, organizationId);
}

const MAX_RANGES = 100;

export async function changeOrganization(
  deps: FindSsoDeps & { readonly storage: Pick<Storage, 'transaction'>; readonly forgetKeys: () => void },
  caller: TeamCaller,
  change: {
    readonly name?: string;
    readonly allowed_ips?: readonly string[];
    readonly requires_second_factor?: boolean;
    readonly sso_only?: boolean;
    readonly role_map?: RoleMapRequest;
  },
): Promise<void> {
  const { organizationId } = caller;
  const ranges = change.allowed_ips && [...new Set(change.allowed_ips.map((text, i) => readRange(text, i)))];
  // An existing list can still be cleared after the plan changed.
  if (ranges !== undefined && ranges.length > 0) requireFeature(caller.account, 'ip_allow_list');
  if (change.requires_second_factor === true && !caller.session.hasSecondFactor) {
    throw new CodedError('invalid_state', {
      message:
        'Enable two-factor authentication for your own account first. Otherwise you would lock yourself out.',
    });
  }
  if (change.sso_only === true) await requireSso(deps, caller);
  await deps.storage.transaction(async (repositories) => {
    if (change.sso_only !== undefined) {
      await repositories.organizations.setSsoOnly(organizationId, change.sso_only);
    }
    if (change.requires_second_factor !== undefined) {
      await repositories.organizations.setRequiresSecondFactor(organizationId, change.requires_second_factor);
    }
    if (change.name !== undefined) {
      await repositories.organizations.rename(organizationId, change.name.trim());
    }
    await changeRoleMap(repositories, caller, change.role_map);
    if (ranges !== undefined) await repositories.organizations.setAllowedIps(organizationId, ranges);
    await repositories.audit.append({
      organizationId,
      kind: 'organization_changed',
      actor: caller.userId,
      subject: organizationId,
      data: {
        renamed: change.name !== undefined,
        ...(ranges === undefined ? {} : { allowed_ips: ranges }),
        ...(change.requires_second_factor === undefined
          ? {}
          : { requires_second_factor: change.requires_second_factor }),
        ...(change.sso_only === undefined ? {} : { sso_only: change.sso_only }),
      },
    });
  });
  deps.forgetKeys();
}

/** A person can require single sign-on of others only if they can sign in with it themselves. */
async function requireSso(deps: FindSsoDeps, caller: TeamCaller): Promise<void> {
  if ((await findSso(deps, caller.organizationId)) === null) {
    throw new CodedError('invalid_state', { message: 'Set up single sign-on for this organization first.' });
  }
  if (caller.role !== 'owner' && caller.session.ssoOrganizationId === null) {
    throw new CodedError('invalid_state', {
      message: 'Sign in with single sign-on first. Otherwise you could lock yourself out.',
    });
  }
}

function readRange(text: string, index: number): string {
  const range = index < MAX_RANGES ? parseRange(text) : null;
  if (range !== null) return range.bits === null ? range.address : `${range.address}/${range.bits}`;
  throw new ValidationError([
    {
      loc: ['body', 'allowed_ips', index],
      msg:
        index >= MAX_RANGES
          ? `Enter at most ${MAX_RANGES} addresses or ranges.`
          : 'Enter an address such as 192.0.2.7, or a range such as 192.0.2.0/24 or 2001:db8::/48.',
      type: 'ip_range',
    },
  ]);
}
