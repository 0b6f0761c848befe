import {
  type MailList,
  type MailRecord,
  type MailWithTextRecord,
  mailListSchema,
  mailWithTextSchema,
} from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { listMails, type ReadMailsDependencies, readMail, retryMail } from '../../flows/people/read-mails.ts';
import { needsRole } from '../../plugins/route-access.ts';
import { memberOf } from '../../plugins/session.ts';
import type { Mail } from '../../storage/storage.ts';
import { dashboardRoute } from './dashboard-route.ts';
import { isoTime, isoTimeOrNull } from './times.ts';

const params = Type.Object({ mail_id: Type.String({ minLength: 1, maxLength: 64 }) });
const query = Type.Object({ before: Type.Optional(Type.String({ maxLength: 64 })) });

/** What was mailed, or waits to be; without a mail server the place where its links are read. */
export function registerMails(
  app: FastifyInstance,
  deps: ReadMailsDependencies & { readonly delivery: 'smtp' | 'outbox' },
): void {
  const config = needsRole('admin');

  app.get<{ Querystring: { before?: string } }>(
    '/mails',
    {
      config,
      schema: dashboardRoute({
        id: 'listEmails',
        area: 'Emails',
        summary: 'List emails',
        description:
          'Newest first. Mails about accounts are seen by the owner of the service’s own organization.',
        query,
        answer: mailListSchema,
      }),
    },
    async (request): Promise<MailList> => {
      const { mails, next } = await listMails(deps, memberOf(request), request.query.before);
      return { delivery: deps.delivery, mails: mails.map(mailRecord), next };
    },
  );

  app.get<{ Params: { mail_id: string } }>(
    '/mails/:mail_id',
    {
      config,
      schema: dashboardRoute({
        id: 'getEmail',
        area: 'Emails',
        summary: 'Read an email',
        description: 'That it was read is written to the audit log.',
        params,
        answer: mailWithTextSchema,
        codes: ['not_found'],
      }),
    },
    async (request): Promise<MailWithTextRecord> => {
      const mail = await readMail(deps, memberOf(request), request.params.mail_id);
      return { ...mailRecord(mail), text: mail.text };
    },
  );

  app.post<{ Params: { mail_id: string } }>(
    '/mails/:mail_id/retry',
    {
      config,
      schema: dashboardRoute({
        id: 'retryEmail',
        area: 'Emails',
        summary: 'Send a failed email again',
        params,
        answer: null,
        status: 204,
        codes: ['not_found', 'invalid_state'],
      }),
    },
    async (request, reply) => {
      await retryMail(deps, memberOf(request), request.params.mail_id);
      return reply.code(204).send();
    },
  );
}

function mailRecord(mail: Mail): MailRecord {
  return {
    id: mail.id,
    kind: mail.kind,
    to: mail.to,
    subject: mail.subject,
    status: mail.status,
    attempts: mail.attempts,
    last_error: mail.lastError,
    sent_at: isoTimeOrNull(mail.sentAtMs),
    created_at: isoTime(mail.createdAtMs),
  };
}
