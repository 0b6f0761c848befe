import { CodedError, type PlanName } from '@csg/shared/contract';
import type { Invitation, Repositories } from '../../storage/storage.ts';
import type { AccountDeps } from './account-deps.ts';
import { confirmPassword } from './confirm-password.ts';
import { transferEmail } from './email-texts.ts';
import type { TeamCaller } from './organizations.ts';

const LIFE_MS = 7 * 24 * 60 * 60_000;

type Accounts = Pick<Repositories, 'organizations' | 'subscriptions'>;

/**
 * Offers the organization to another member. The transfer takes place when they follow the link in their email: from
 * then on its usage is billed to their account, which requires their consent.
 */
export async function offerTransfer(
  deps: Pick<AccountDeps, 'storage' | 'clock' | 'links' | 'signInThrottle'>,
  owner: TeamCaller,
  input: { readonly user_id: string; readonly current_password: string },
): Promise<{ readonly plan: PlanName; readonly invitation: Invitation }> {
  const { organizationId, userId } = owner;
  await confirmPassword(deps, owner.session, input.current_password);
  return await deps.storage.transaction(async (repositories) => {
    const recipient = await repositories.members.get(organizationId, input.user_id);
    if (recipient === null || recipient.userId === userId) {
      throw new CodedError('not_found', { message: 'No such other member.' });
    }
    const account = await repositories.users.get(recipient.userId);
    if (account === null || account.emailVerifiedAtMs === null) {
      throw new CodedError('email_not_verified', {
        message: 'The new owner must confirm their email address first.',
      });
    }
    for (const open of await repositories.invitations.listOpen(organizationId)) {
      const isInTheWay = open.role === 'owner' || open.email.toLowerCase() === recipient.email.toLowerCase();
      if (isInTheWay) await repositories.invitations.revoke(organizationId, open.id);
    }
    const { invitation, token } = await repositories.invitations.create(organizationId, {
      email: recipient.email,
      role: 'owner',
      invitedBy: userId,
      expiresAtMs: deps.clock.now() + LIFE_MS,
    });
    await repositories.emails.add({
      organizationId,
      to: recipient.email,
      ...transferEmail({
        organization: owner.organizationName,
        inviter: owner.session,
        link: deps.links.oneTime('invitation', token),
      }),
    });
    await repositories.audit.append({
      organizationId,
      kind: 'organization_offered',
      actor: userId,
      subject: recipient.userId,
      data: { invitation_id: invitation.id },
    });
    const { plan } = await planAfter(repositories, organizationId, userId, recipient.userId);
    return { plan, invitation };
  });
}

/** Completes the transfer; the previous owner stays as an admin. */
export async function acceptTransfer(
  repositories: Pick<Repositories, 'organizations' | 'subscriptions' | 'members' | 'audit'>,
  invitation: Invitation,
  recipientId: string,
): Promise<void> {
  const { organizationId, invitedBy: giverId } = invitation;
  const recipient = await repositories.members.lock(organizationId, recipientId);
  const { plan, goesAlong } = await planAfter(repositories, organizationId, giverId, recipientId);
  if (
    recipient === null ||
    !(await repositories.organizations.transfer(organizationId, giverId, recipientId))
  ) {
    throw new CodedError('link_expired', {
      message:
        'This transfer is no longer valid: the organization has another owner, or you are no longer a member.',
    });
  }
  await repositories.members.setRole(organizationId, giverId, 'admin');
  await repositories.members.setRole(organizationId, recipientId, 'owner');
  if (goesAlong !== null) {
    await repositories.subscriptions.set(recipientId, goesAlong);
    await repositories.subscriptions.set(giverId, FREE);
  } else if ((await repositories.subscriptions.get(recipientId)) === null) {
    await repositories.subscriptions.set(recipientId, FREE);
  }
  await repositories.audit.append({
    organizationId,
    kind: 'organization_transferred',
    actor: recipientId,
    subject: recipientId,
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

/** The previous owner's contract moves along if neither owns another organization; else the recipient's applies. */
async function planAfter(
  repositories: Accounts,
  organizationId: string,
  giverId: string,
  recipientId: string,
) {
  const ownsOthers = async (accountId: string) =>
    (await repositories.organizations.listOwned(accountId)).some(({ id }) => id !== organizationId);
  const given = await repositories.subscriptions.get(giverId);
  if (given !== null && !(await ownsOthers(giverId)) && !(await ownsOthers(recipientId))) {
    const { accountId: _, ...goesAlong } = given;
    return { plan: given.plan, goesAlong };
  }
  return { plan: (await repositories.subscriptions.get(recipientId))?.plan ?? 'free', goesAlong: null };
}
