import { createTransport } from 'nodemailer';
import { EmailRejectedError, type EmailSender } from './email-sender.ts';

/** `url`: smtp://user:password@host:port or smtps://…; smtp:// connections are encrypted if the server supports it. */
export function createSmtpSender(options: { readonly url: string; readonly from: string }): EmailSender {
  const transport = createTransport(
    {
      url: options.url,
      pool: true,
      maxConnections: 2,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 30_000,
      // Texts must not be able to name a file or an address to read from.
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from: options.from },
  );
  const domain = /@([^\s>@]+)>?$/.exec(options.from)?.[1] ?? 'localhost';
  return {
    async send({ id, to, subject, text }) {
      try {
        await transport.sendMail({
          messageId: `<${id}@${domain}>`,
          // Passed as an object, so that an address is never parsed as a list.
          to: { name: '', address: to },
          subject,
          text,
          headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
        });
      } catch (error) {
        const { code, responseCode = 0 } = error as { code?: string; responseCode?: number };
        const isFinal = (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode >= 500;
        throw isFinal ? new EmailRejectedError((error as Error).message, { cause: error }) : error;
      }
    },
    close: () => transport.close(),
  };
}
