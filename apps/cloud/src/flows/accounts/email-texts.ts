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
    'Please confirm that this address is yours. Sign in, if you are asked to, with the password you chose:',
    link,
    'The link works once, for 24 hours. If you did not ask for it, do nothing: without you it does nothing.',
  );
}

/** The response to a sign-up is the same for a known and an unknown address; only the owner of the address is notified. */
export function addressInUseEmail(signIn: string, reset: string): EmailText {
  return emailText(
    'address_in_use',
    'You have an account already',
    'A person, probably you, tried to create an account with this address. It already has one; nothing was changed.',
    `Sign in: ${signIn}`,
    `Forgot the password: ${reset}`,
  );
}

export function resetPasswordEmail(link: string): EmailText {
  return emailText(
    'reset_password',
    'Choose a new password',
    'A person, probably you, requested a new password for this address. Choose it here:',
    link,
    'The link works once, for one hour. If you did not ask for it, do nothing: your password stays as it is.',
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
    'The link works once, for 7 days. If you do not know what this is about, do nothing.',
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
    `The directory of "${organization}", owned by ${input.owner}, invites you as member. Accept here, signed in to your account:`,
    input.link,
    'The link works once, for 7 days. You also find the invitation when you sign in. If you do not know what this is about, do nothing.',
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
    `${organization} is to be yours`,
    `${describeInviter(input.inviter)} wants to make you the owner of "${organization}". Its plan and what is used in it count for your account from then on. Accept here:`,
    input.link,
    'The link works once, for 7 days. If you do not want it, do nothing.',
  );
}

export function addedEmail(organization: string, link: string): EmailText {
  return emailText(
    'membership',
    `You were added to ${name(organization)}`,
    `The directory of "${name(organization)}" made you a member. You see it when you sign in:`,
    link,
  );
}

/** Notifies an account's owner of a change, in case another person made it. */
export function securityNoticeEmail(notice: string, reset: string): EmailText {
  return emailText(
    'security_notice',
    notice,
    `${notice}. If that was you, all is well.`,
    `If it was not, choose a new password now, which signs everybody else out: ${reset}`,
  );
}
