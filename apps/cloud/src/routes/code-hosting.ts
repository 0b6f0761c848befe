import { type CodeHostReply, codeHostReplySchema } from '@csg/shared/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { openToAll } from '../plugins/route-access.ts';
import { type ReceiveDeps, receiveDelivery } from '../webhooks/code-hosting/receive-delivery.ts';
import { type Documented, documented } from './documented.ts';

/** Maximum size of GitHub's deliveries. */
const MAX_DELIVERY_BYTES = 25 * 1024 * 1024;

export interface CodeHostingDependencies extends ReceiveDeps {
  readonly settings: { readonly bodyLimitBytes: number };
}

/** The endpoint for a code host. Has its own parser: the signature covers the bytes and is checked before parsing. */
export function registerCodeHosting(app: FastifyInstance, deps: CodeHostingDependencies): void {
  // A delivery is read once it is known to be from GitHub, but never validated.
  app.setValidatorCompiler(() => () => true);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: Math.min(MAX_DELIVERY_BYTES, deps.settings.bodyLimitBytes) },
    (_request, bytes, done) => done(null, bytes),
  );
  app.post<{ Body: Buffer | undefined; Reply: CodeHostReply }>(
    '/github/webhook',
    {
      config: openToAll(),
      schema: withPing({
        tag: 'Code hosting',
        id: 'receiveGitHubWebhook',
        summary: 'Receive a GitHub webhook',
        description:
          'Called by GitHub. X-Hub-Signature-256 signs the body. Texts of pushes, pull requests, issues and comments are scanned and become events of the project that the repository is bound to. A ping is answered with 200, everything else with 202.',
        body: Type.Object({}, { additionalProperties: true, description: "GitHub's payload." }),
        bodyIsOpaque: true,
        response: codeHostReplySchema,
        status: 202,
        open: true,
        codes: [
          'invalid_signature',
          'invalid_request',
          'payload_too_large',
          'unsupported_media_type',
          'detection_unavailable',
        ],
      }),
    },
    async (request, reply) => {
      const header = (name: string) => headerOf(request, name);
      const { evaluation, reply: body } = await receiveDelivery(
        deps,
        {
          bytes: request.body ?? Buffer.alloc(0),
          signature: header('x-hub-signature-256'),
          event: header('x-github-event'),
          id: header('x-github-delivery'),
        },
        request.id,
      );
      if (evaluation !== null) request.verdict = evaluation;
      return reply.code(body.status === 'pong' ? 200 : 202).send(body);
    },
  );
}

function withPing(route: Documented): Record<string, unknown> {
  const schema = documented(route);
  return { ...schema, response: { ...(schema['response'] as object), 200: codeHostReplySchema } };
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? undefined : value;
}
