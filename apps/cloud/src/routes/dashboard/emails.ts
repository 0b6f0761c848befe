import {
  type EmailList,
  type EmailWithTextRecord,
  emailListSchema,
  emailRecordSchema,
  emailWithTextSchema,
  idSchema,
} from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import {
  listEmails,
  type ReadEmailsDependencies,
  readEmail,
  retryEmail,
} from '../../flows/accounts/read-emails.ts';
import { needsRole } from '../../plugins/route-access.ts';
import { memberOf } from '../../plugins/session.ts';
import { wireOf } from '../../wire/wire-of.ts';
import { dashboardRoute } from './dashboard-route.ts';

const params = Type.Object({ mail_id: idSchema });
const query = Type.Object({ before: Type.Optional(Type.String({ maxLength: 64 })) });

/** Registers emails that were sent or are queued; without a mail server, this is where their links are read. */
export function registerEmails(
  app: FastifyInstance,
  deps: ReadEmailsDependencies & { readonly delivery: 'smtp' | 'outbox' },
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
          "Newest first. Emails about accounts are visible to the owner of the operator's organization.",
        query,
        response: emailListSchema,
      }),
    },
    async (request): Promise<EmailList> => {
      const { emails, next } = await listEmails(deps, memberOf(request), request.query.before);
      return { delivery: deps.delivery, mails: emails.map(emailRecord), next };
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
        description: 'Recorded in the audit log.',
        params,
        response: emailWithTextSchema,
        codes: ['not_found'],
      }),
    },
    async (request): Promise<EmailWithTextRecord> => {
      const email = await readEmail(deps, memberOf(request), request.params.mail_id);
      return { ...emailRecord(email), text: email.text };
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
        response: null,
        status: 204,
        codes: ['not_found', 'invalid_state'],
      }),
    },
    async (request, reply) => {
      await retryEmail(deps, memberOf(request), request.params.mail_id);
      return reply.code(204).send();
    },
  );
}

const emailRecord = wireOf(emailRecordSchema);
