/** An email as passed to a server. */
export interface EmailMessage {
  /** Stays the same when the email is sent again, so that duplicates can be recognized. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** The server permanently rejects the email: the mailbox does not exist, or the content is not accepted. */
export class EmailRejectedError extends Error {
  override readonly name = 'EmailRejectedError';
}

export interface EmailSender {
  /** Resolves once the server has accepted the email. Rejects with EmailRejectedError, or an error that may pass. */
  send(message: EmailMessage): Promise<void>;
  close(): void;
}
