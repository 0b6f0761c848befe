import type { FastifyInstance } from 'fastify';
import { registerOwnAccount } from './account.ts';
import { registerDirectoryTokens } from './directory-tokens.ts';
import { registerInvitations } from './invitations.ts';
import { registerMails } from './mails.ts';
import { registerMembers } from './members.ts';
import { registerOrganizations } from './organizations.ts';
import { registerOwnInvitations } from './own-invitations.ts';
import { registerSecondFactor } from './second-factor.ts';
import { registerSession } from './session.ts';
import { registerSetUp } from './set-up.ts';
import { registerSignUp } from './sign-up.ts';

export type PeopleDeps = Parameters<typeof registerSignUp>[1] &
  Parameters<typeof registerOwnAccount>[1] &
  Parameters<typeof registerOrganizations>[1] &
  Parameters<typeof registerMails>[1];

/** Who gets in and how, what they do about their own account, and who works together. */
export function registerPeople(app: FastifyInstance, deps: PeopleDeps): void {
  registerSession(app, deps);
  registerSetUp(app, deps);
  registerSignUp(app, deps);
  registerOwnAccount(app, deps);
  registerSecondFactor(app, deps);
  registerOrganizations(app, deps);
  registerMembers(app, deps);
  registerInvitations(app, deps);
  registerOwnInvitations(app, deps);
  registerMails(app, deps);
  registerDirectoryTokens(app, deps);
}
