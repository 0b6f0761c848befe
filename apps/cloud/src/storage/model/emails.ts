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

/** `mail_…`. Written in the transaction of the change it reports; a job hands it to the mail server. */
export const emailTable = table({
  id: text,
  /** null: concerns a person's account, and no organization may read it. */
  organizationId: orNull(text),
  kind: word<EmailKind>(),
  subject: text,
  status: word<EmailStatus>(),
  attempts: number,
  lastError: orNull(text),
  sentAtMs: orNull(number),
  createdAtMs: number,
  toAddress: hidden(text),
  /** null after it was sent. */
  sealedText: hidden(orNull(bytes)),
  dueAtMs: hidden(number),
});
export type Email = RecordOf<typeof emailTable> & { readonly to: string };

/** An email with its text, which is sealed with the master key and deleted after sending because it contains links. */
export interface EmailWithText extends Email {
  readonly text: string | null;
}

/** Selects the emails of an organization and, if `withAccounts` is true, those of accounts. */
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
  /** Leases emails that are due for `leaseMs`, so that no other caller gets them meanwhile. Counts the attempt. */
  claim(nowMs: number, leaseMs: number, limit: number): Promise<readonly EmailWithText[]>;
  markSent(emailId: string, atMs: number): Promise<void>;
  /** `retryAtMs` null: no further attempts. The text is kept so that a person can send it again. */
  markFailed(emailId: string, error: string, retryAtMs: number | null): Promise<void>;
  /** Newest first; `before` is the id of an email. */
  list(
    scope: EmailScope,
    page: { readonly before?: string; readonly limit: number },
  ): Promise<readonly Email[]>;
  get(scope: EmailScope, emailId: string): Promise<EmailWithText | null>;
  /** false: no failed email with this id. */
  retry(scope: EmailScope, emailId: string, nowMs: number): Promise<boolean>;
  /** Deletes the emails to this address. */
  forget(address: string): Promise<void>;
  /** Deletes the emails created before that time. */
  prune(beforeMs: number): Promise<number>;
}
