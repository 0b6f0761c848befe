import { bytes, hidden, number, orNull, type RecordOf, table, text, word } from '../table.ts';

const EMAIL_KINDS = [
  'verify_email',
  'address_in_use',
  'reset_password',
  'security_notice',
  'invitation',
  'membership',
  'usage_alert',
  'notification',
] as const;
export type EmailKind = (typeof EMAIL_KINDS)[number];

const EMAIL_STATUSES = ['waiting', 'sent', 'failed'] as const;
export type EmailStatus = (typeof EMAIL_STATUSES)[number];

/** `mail_…`. Written in the transaction of what it tells about; a job hands it to the mail server. */
export const emailTable = table({
  id: text,
  /** null: of a person's account, which no organization may read. */
  organizationId: orNull(text),
  kind: word<EmailKind>(),
  subject: text,
  status: word<EmailStatus>(),
  attempts: number,
  lastError: orNull(text),
  sentAtMs: orNull(number),
  createdAtMs: number,
  toAddress: hidden(text),
  /** null once it was sent. */
  sealedText: hidden(orNull(bytes)),
  dueAtMs: hidden(number),
});
export type Email = RecordOf<typeof emailTable> & { readonly to: string };

/** Mails with their texts. A text is sealed with the master key, and deleted once it was sent: links stand in it. */
export interface EmailWithText extends Email {
  readonly text: string | null;
}

/** Whose mails: an organization's, and those of accounts where `withAccounts` says so. */
export interface EmailScope {
  readonly organizationId: string;
  readonly withAccounts: boolean;
}

export interface Emails {
  add(input: {
    readonly organizationId: string | null;
    readonly kind: EmailKind;
    readonly to: string;
    readonly subject: string;
    readonly text: string;
  }): Promise<Email>;
  /** Takes emails that are due, for `leaseMs`: no other caller gets them meanwhile. Counts the attempt. */
  claim(nowMs: number, leaseMs: number, limit: number): Promise<readonly EmailWithText[]>;
  markSent(emailId: string, atMs: number): Promise<void>;
  /** `retryAtMs` null: it is given up. Its text stays, for a person to send it again. */
  markFailed(emailId: string, error: string, retryAtMs: number | null): Promise<void>;
  /** Newest first; `before`: an id. */
  list(
    scope: EmailScope,
    page: { readonly before?: string; readonly limit: number },
  ): Promise<readonly Email[]>;
  get(scope: EmailScope, emailId: string): Promise<EmailWithText | null>;
  /** false: no such mail that was given up. */
  retry(scope: EmailScope, emailId: string, nowMs: number): Promise<boolean>;
  /** Deletes those to this address. */
  forget(address: string): Promise<void>;
  /** Deletes those made before. */
  prune(beforeMs: number): Promise<number>;
}
