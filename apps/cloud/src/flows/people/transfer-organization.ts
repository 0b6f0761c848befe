import { CodedError, type PlanName } from '@csg/shared/contract';
import type { Invitation, Repositories } from '../../storage/storage.ts';
import type { AccountDeps } from './account-deps.ts';
import { confirmPassword } from './confirm-password.ts';
import { transferMail } from './mail-texts.ts';
import type { TeamCaller } from './organizations.ts';

const LIFE_MS = 7 * 24 * 60 * 60_000;

type Accounts = Pick<Repositories, 'organizations' | 'subscriptions'>;

/**
 * Offers the organization to another member. It is theirs when they follow the link mailed to them: what is used in
 * it counts for its owner's account from then on, and nobody is made to pay for others unasked.
 */
export async function offerOrganization(
  deps: Pick<AccountDeps, 'storage' | 'clock' | 'links' | 'signInHolds'>,
  owner: TeamCaller,
  wish: { readonly user_id: string; readonly current_password: string },
): Promise<{ readonly plan: PlanName; readonly invitation: Invitation }> {
  const { organizationId, userId } = owner;
  await confirmPassword(deps, owner.session, wish.current_password);
  return await deps.storage.transaction(async (repositories) => {
    const heir = await repositories.members.get(organizationId, wish.user_id);
    if (heir === null || heir.userId === userId) {
      throw new CodedError('not_found', { message: 'There is no other member with this id.' });
    }
    const account = await repositories.users.get(heir.userId);
    if (account === null || account.emailVerifiedAtMs === null) {
      throw new CodedError('email_not_verified', {
        message: 'The new owner has to confirm their e-mail address first.',
      });
    }
    for (const open of await repositories.invitations.listOpen(organizationId)) {
      const isInTheWay = open.role === 'owner' || open.email.toLowerCase() === heir.email.toLowerCase();
      if (isInTheWay) await repositories.invitations.revoke(organizationId, open.id);
    }
    const { invitation, token } = await repositories.invitations.create(organizationId, {
      email: heir.email,
      role: 'owner',
      invitedBy: userId,
      expiresAtMs: deps.clock.now() + LIFE_MS,
    });
    await repositories.mails.add({
      organizationId,
      to: heir.email,
      ...transferMail({
        organization: owner.organizationName,
        inviter: owner.session,
        link: deps.links.oneTime('invitation', token),
      }),
    });
    await repositories.audit.append({
      organizationId,
      kind: 'organization_offered',
      actor: userId,
      subject: heir.userId,
      data: { invitation_id: invitation.id },
    });
    const { plan } = await planAfter(repositories, organizationId, userId, heir.userId);
    return { plan, invitation };
  });
}

/** The offer is taken: the owner before stays as an admin. */
export async function takeOrganization(
  repositories: Pick<Repositories, 'organizations' | 'subscriptions' | 'members' | 'audit'>,
  invitation: Invitation,
  heirId: string,
): Promise<void> {
  const { organizationId, invitedBy: giverId } = invitation;
  const heir = await repositories.members.hold(organizationId, heirId);
  const { plan, goesAlong } = await planAfter(repositories, organizationId, giverId, heirId);
  if (heir === null || !(await repositories.organizations.transfer(organizationId, giverId, heirId))) {
    throw new CodedError('link_expired', {
      message:
        'This organization is not to be had any more: it has another owner, or you are no member of it.',
    });
  }
  await repositories.members.setRole(organizationId, giverId, 'admin');
  await repositories.members.setRole(organizationId, heirId, 'owner');
  if (goesAlong !== null) {
    await repositories.subscriptions.set(heirId, goesAlong);
    await repositories.subscriptions.set(giverId, FREE);
  } else if ((await repositories.subscriptions.get(heirId)) === null) {
    await repositories.subscriptions.set(heirId, FREE);
  }
  await repositories.audit.append({
    organizationId,
    kind: 'organization_transferred',
    actor: heirId,
    subject: heirId,
    data: { from: giverId, plan },
  });
}

const FREE = {
  plan: 'free',
  status: 'active',
  perMinute: null,
  monthly: null,
  spendCapUsd: null,
} as const;

/** The giver's contract goes along where neither of them has any other use for one; else the heir's own counts. */
async function planAfter(repositories: Accounts, organizationId: string, giverId: string, heirId: string) {
  const ownsOthers = async (accountId: string) =>
    (await repositories.organizations.listOwned(accountId)).some(({ id }) => id !== organizationId);
  const given = await repositories.subscriptions.get(giverId);
  if (given !== null && !(await ownsOthers(giverId)) && !(await ownsOthers(heirId))) {
    const { accountId: _, ...goesAlong } = given;
    return { plan: given.plan, goesAlong };
  }
  return { plan: (await repositories.subscriptions.get(heirId))?.plan ?? 'free', goesAlong: null };
}
