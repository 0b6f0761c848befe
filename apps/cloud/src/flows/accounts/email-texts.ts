import type { EmailKind } from '../../storage/storage.ts';

/** Content of an email. Plain text, so that user input cannot become markup. */
export interface EmailText {
  readonly kind: EmailKind;
  readonly subject: string;
  readonly text: string;
}

const FOOTER = 'This email was sent by a Content Security Gateway. Replies are not monitored.';

export function emailText(kind: EmailKind, subject: string, ...lines: readonly string[]): EmailText {
  return { kind, subject, text: `${[...lines, '-- ', FOOTER].join('\n\n')}\n` };
}

/** Makes a user-supplied name safe: one line, short, and without addresses that email clients turn into links. */
function name(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[.:/@](?=\S)/g, '$& ')
    .trim()
    .slice(0, 80);
}

interface Inviter {
  readonly name: string | null;
  readonly email: string;
}

function describeInviter({ name: displayName, email }: Inviter): string {
  return displayName === null ? email : `${name(displayName)} (${email})`;
}

export function verificationEmail(link: string): EmailText {
  return emailText(
    'verify_email',
    'Confirm your email address',
    'Open this link to confirm your email address. If you are asked to sign in, use the password that you chose:',
    link,
    'The link works once and expires after 24 hours. If you did not request it, ignore this email; nothing changes.',
  );
}

/** The response to a sign-up is the same for a known and an unknown address; only the owner of the address is notified. */
export function addressInUseEmail(signIn: string, reset: string): EmailText {
  return emailText(
    'address_in_use',
    'You already have an account',
    'Someone, probably you, tried to create an account with this address. The address already has an account; nothing was changed.',
    `Sign in: ${signIn}`,
    `Forgot your password? ${reset}`,
  );
}

export function resetPasswordEmail(link: string): EmailText {
  return emailText(
    'reset_password',
    'Choose a new password',
    'Someone, probably you, requested a new password for this address. Choose it here:',
    link,
    'The link works once and expires after one hour. If you did not request it, ignore this email; your password stays unchanged.',
  );
}

export function invitationEmail(input: {
  readonly organization: string;
  readonly inviter: Inviter;
  readonly role: string;
  readonly link: string;
}): EmailText {
  const organization = name(input.organization);
  return emailText(
    'invitation',
    `You are invited to ${organization}`,
    `${describeInviter(input.inviter)} invites you to "${organization}" as ${input.role}. Accept here:`,
    input.link,
    'The link works once and expires after 7 days. If you were not expecting this, ignore it.',
  );
}

/** The directory that invites is a program, so the owner's address shows whose organization it is. */
export function directoryInvitationEmail(input: {
  readonly organization: string;
  readonly owner: string;
  readonly link: string;
}): EmailText {
  const organization = name(input.organization);
  return emailText(
    'invitation',
    `You are invited to ${organization}`,
    `The directory of "${organization}", owned by ${input.owner}, invites you as a member. Sign in to your account and accept here:`,
    input.link,
    'The link works once and expires after 7 days. The invitation is also shown when you sign in. If you were not expecting this, ignore it.',
  );
}

export function transferEmail(input: {
  readonly organization: string;
  readonly inviter: Inviter;
  readonly link: string;
}): EmailText {
  const organization = name(input.organization);
  return emailText(
    'invitation',
    `You are offered ownership of ${organization}`,
    `${describeInviter(input.inviter)} wants to make you the owner of "${organization}". From then on, its plan and usage count for your account. Accept here:`,
    input.link,
    'The link works once and expires after 7 days. To decline, ignore this email.',
  );
}

export function addedEmail(organization: string, link: string): EmailText {
  return emailText(
    'membership',
    `You were added to ${name(organization)}`,
    `The directory of "${name(organization)}" made you a member. Sign in to open the organization:`,
    link,
  );
}

/** Notifies an account's owner of a change, in case another person made it. */
export function securityNoticeEmail(notice: string, reset: string): EmailText {
  return emailText(
    'security_notice',
    notice,
    `${notice}. If this was you, no action is needed.`,
    `If it was not you, choose a new password now; this ends all sessions: ${reset}`,
  );
}
