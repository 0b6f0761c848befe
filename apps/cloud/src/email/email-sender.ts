/** An email as it is handed to a server. */
export interface EmailMessage {
  /** Stays the same when it is sent again, so that a duplicate can be recognized. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** The server will not take it, now or ever: there is no such mailbox, or it refuses the mail itself. */
export class EmailRejectedError extends Error {
  override readonly name = 'EmailRejectedError';
}

export interface EmailSender {
  /** Resolves once the server has taken it. Rejects with EmailRejectedError, or with what may pass by itself. */
  send(message: EmailMessage): Promise<void>;
  close(): void;
}
