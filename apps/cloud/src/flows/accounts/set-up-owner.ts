import { CodedError, ValidationError } from '@csg/shared/contract';
import type { Storage } from '../../storage/storage.ts';
import type { Clock } from '../clock.ts';
import { checkPassword } from './check-password.ts';
import { hashPassword } from './hash-password.ts';
import { type Browser, type NewSession, startSession } from './start-session.ts';

export interface SetUpOwnerDeps {
  readonly storage: Pick<Storage, 'users' | 'members' | 'organizations' | 'accountLinks' | 'transaction'>;
  readonly clock: Clock;
}

const LINK_LIFE_MS = 24 * 60 * 60_000;

/**
 * Returns the token of a set-up link while no member of the operator's organization can sign in, else null. Each start
 * prints its own token; the first one used invalidates the others.
 */
export async function offerSetUp(
  deps: SetUpOwnerDeps,
  account: { readonly accountId: string; readonly organizationId: string },
): Promise<string | null> {
  const members = await deps.storage.members.list(account.organizationId);
  for (const { userId } of members) {
    if ((await deps.storage.users.get(userId))?.passwordHash) return null;
  }
  return await deps.storage.accountLinks.create({
    purpose: 'set_up',
    userId: account.accountId,
    expiresAtMs: deps.clock.now() + LINK_LIFE_MS,
  });
}

/** Returns whether a member of the operator's organization can sign in. Once true, it is cached for the process. */
export function createSetUpCheck({
  storage,
}: {
  readonly storage: Pick<Storage, 'organizations' | 'members'>;
}): () => Promise<boolean> {
  let isSetUp = false;
  return async () => {
    if (isSetUp) return true;
    const operator = await storage.organizations.findOperator();
    const members = operator === null ? [] : await storage.members.list(operator.id);
    isSetUp = members.some(({ hasSignedIn }) => hasSignedIn);
    return isSetUp;
  };
}

export interface SetUpInput {
  readonly token: string;
  readonly email: string;
  readonly password: string;
  readonly name?: string;
  readonly organization_name?: string;
}

/** Turns the service's own account into that of a person, with address, password and name, and signs them in. */
export async function setUpOwner(
  deps: SetUpOwnerDeps,
  input: SetUpInput,
  browser: Browser,
): Promise<NewSession> {
  await checkPassword('password', input.password, [input.email, input.name ?? null]);
  const passwordHash = await hashPassword(input.password);
  const nowMs = deps.clock.now();
  return deps.storage.transaction(async (repositories) => {
    const link = await repositories.accountLinks.spend('set_up', input.token, nowMs);
    if (link === null) {
      throw new CodedError('link_expired', {
        message:
          'This set-up link was already used or has expired. Restart the service to get a new one, or sign in.',
      });
    }
    const other = await repositories.users.findByEmail(input.email);
    if (other !== null && other.id !== link.userId) throw takenAddress();
    await repositories.users.update(link.userId, {
      email: input.email.trim(),
      name: input.name?.trim() || null,
      passwordHash,
      // Only the operator has the link, and no other person could confirm the address.
      emailVerifiedAtMs: nowMs,
    });
    await repositories.accountLinks.revoke(link.userId, 'set_up');
    const [organization] = await repositories.organizations.listOwned(link.userId);
    if (organization !== undefined) {
      if (input.organization_name?.trim()) {
        await repositories.organizations.rename(organization.id, input.organization_name.trim());
      }
      await repositories.audit.append({
        organizationId: organization.id,
        kind: 'owner_set_up',
        actor: link.userId,
        subject: link.userId,
        data: {},
      });
    }
    return startSession(repositories, deps.clock, link.userId, browser);
  });
}

function takenAddress(): ValidationError {
  return new ValidationError([
    { loc: ['body', 'email'], msg: 'This address belongs to another user.', type: 'email_taken' },
  ]);
}
