export const MAIL_KINDS = [
  'verify_email',
  'address_in_use',
  'reset_password',
  'security_notice',
  'invitation',
  'membership',
  'usage_alert',
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

export const MAIL_STATUSES = ['waiting', 'sent', 'failed'] as const;
export type MailStatus = (typeof MAIL_STATUSES)[number];

/** `mail_…`. Written in the transaction of what it tells about; a job hands it to the mail server. */
export interface Mail {
  readonly id: string;
  /** null: of a person's account, which no organization may read. */
  readonly organizationId: string | null;
  readonly kind: MailKind;
  readonly to: string;
  readonly subject: string;
  readonly status: MailStatus;
  readonly attempts: number;
  readonly lastError: string | null;
  readonly sentAtMs: number | null;
  readonly createdAtMs: number;
}

/** Mails with their texts. A text is sealed with the master key, and deleted once it was sent: links stand in it. */
export interface MailWithText extends Mail {
  readonly text: string | null;
}

/** Whose mails: an organization's, and those of accounts where `withAccounts` says so. */
export interface MailScope {
  readonly organizationId: string;
  readonly withAccounts: boolean;
}

export interface Mails {
  add(input: {
    readonly organizationId: string | null;
    readonly kind: MailKind;
    readonly to: string;
    readonly subject: string;
    readonly text: string;
  }): Promise<Mail>;
  /** Takes mails that are due, for `leaseMs`: nobody else is given them meanwhile. Counts the attempt. */
  claim(nowMs: number, leaseMs: number, limit: number): Promise<readonly MailWithText[]>;
  markSent(mailId: string, atMs: number): Promise<void>;
  /** `retryAtMs` null: it is given up. Its text stays, for a person to send it again. */
  markFailed(mailId: string, error: string, retryAtMs: number | null): Promise<void>;
  /** Newest first; `before`: an id. */
  list(
    scope: MailScope,
    page: { readonly before?: string; readonly limit: number },
  ): Promise<readonly Mail[]>;
  get(scope: MailScope, mailId: string): Promise<MailWithText | null>;
  /** false: no such mail that was given up. */
  retry(scope: MailScope, mailId: string, nowMs: number): Promise<boolean>;
  /** Deletes those to this address. */
  forget(address: string): Promise<void>;
  /** Deletes those made before. */
  prune(beforeMs: number): Promise<number>;
}
