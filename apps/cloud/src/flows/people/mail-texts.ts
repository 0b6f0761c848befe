import type { MailKind } from '../../storage/storage.ts';

/** What a mail says. Plain text: nothing a person wrote can become markup in it. */
export interface MailText {
  readonly kind: MailKind;
  readonly subject: string;
  readonly text: string;
}

const FOOTER = 'This mail was sent by a Content Security Gateway. Nobody reads answers to it.';

export function mail(kind: MailKind, subject: string, ...lines: readonly string[]): MailText {
  return { kind, subject, text: `${[...lines, '-- ', FOOTER].join('\n\n')}\n` };
}

/** Names are people's own words: one line, short, and no address that a mail program would make a link of. */
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

function whoIs({ name: said, email }: Inviter): string {
  return said === null ? email : `${name(said)} (${email})`;
}

export function verifyEmailMail(link: string): MailText {
  return mail(
    'verify_email',
    'Confirm your e-mail address',
    'Please confirm that this address is yours. Sign in, if you are asked to, with the password you chose:',
    link,
    'The link works once, for 24 hours. If you did not ask for it, do nothing: without you it does nothing.',
  );
}

/** Whoever signs up with a known address is answered like anybody; only its owner is told. */
export function addressInUseMail(signIn: string, reset: string): MailText {
  return mail(
    'address_in_use',
    'You have an account already',
    'Somebody, probably you, tried to make a new account with this address. There is one already; nothing was changed.',
    `Sign in: ${signIn}`,
    `Forgot the password: ${reset}`,
  );
}

export function resetPasswordMail(link: string): MailText {
  return mail(
    'reset_password',
    'Choose a new password',
    'Somebody, probably you, asked for a new password for this address. Choose it here:',
    link,
    'The link works once, for one hour. If you did not ask for it, do nothing: your password stays as it is.',
  );
}

export function invitationMail(wish: {
  readonly organization: string;
  readonly inviter: Inviter;
  readonly role: string;
  readonly link: string;
}): MailText {
  const organization = name(wish.organization);
  return mail(
    'invitation',
    `You are invited to ${organization}`,
    `${whoIs(wish.inviter)} invites you to "${organization}" as ${wish.role}. Accept here:`,
    wish.link,
    'The link works once, for 7 days. If you do not know what this is about, do nothing.',
  );
}

/** From a directory, which is a program: the owner's address says whose organization it is. */
export function directoryInvitationMail(input: {
  readonly organization: string;
  readonly owner: string;
  readonly link: string;
}): MailText {
  const organization = name(input.organization);
  return mail(
    'invitation',
    `You are invited to ${organization}`,
    `The directory of "${organization}", owned by ${input.owner}, invites you as member. Accept here, signed in to your account:`,
    input.link,
    'The link works once, for 7 days. You also find the invitation when you sign in. If you do not know what this is about, do nothing.',
  );
}

export function transferMail(wish: {
  readonly organization: string;
  readonly inviter: Inviter;
  readonly link: string;
}): MailText {
  const organization = name(wish.organization);
  return mail(
    'invitation',
    `${organization} is to be yours`,
    `${whoIs(wish.inviter)} wants to make you the owner of "${organization}". Its plan and what is used in it count for your account from then on. Accept here:`,
    wish.link,
    'The link works once, for 7 days. If you do not want it, do nothing.',
  );
}

export function addedMail(organization: string, link: string): MailText {
  return mail(
    'membership',
    `You were added to ${name(organization)}`,
    `The directory of "${name(organization)}" made you a member. You see it when you sign in:`,
    link,
  );
}

/** What was done to an account, told to its owner: the one who would want to know if it was somebody else. */
export function securityNoticeMail(what: string, reset: string): MailText {
  return mail(
    'security_notice',
    what,
    `${what}. If that was you, all is well.`,
    `If it was not, choose a new password now, which signs everybody else out: ${reset}`,
  );
}
