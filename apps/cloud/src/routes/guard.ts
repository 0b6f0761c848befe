import {
  CodedError,
  type GuardRequest,
  type GuardResponse,
  guardRequestSchema,
  guardResponseSchema,
} from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import { type GuardMessagesDeps, guardMessages } from '../flows/guard-messages.ts';
import { principalOf } from '../plugins/auth.ts';
import { sourceOf } from '../plugins/json-body.ts';
import { needsScope } from '../plugins/route-access.ts';
import { documented, SCAN } from './documented.ts';

export function registerGuard(app: FastifyInstance, deps: GuardMessagesDeps): void {
  app.post<{ Body: GuardRequest; Reply: GuardResponse }>(
    '/guard',
    {
      config: needsScope('scan', { device: true, errors: 'endpoint' }),
      schema: documented({
        tag: 'Scanning',
        id: 'guardMessages',
        summary: 'Scan messages',
        description: 'Scans messages without calling a model. A block is a 200 with `decision: "block"`.',
        body: guardRequestSchema,
        response: guardResponseSchema,
        common: SCAN,
      }),
      preValidation: async (request) => {
        const messages = (request.body as { messages?: unknown } | undefined)?.messages;
        if (!Array.isArray(messages) || messages.length === 0) {
          throw new CodedError('invalid_request', {
            message: '"messages" must be an array with at least one message.',
            fields: { param: 'messages' },
          });
        }
      },
    },
    async (request) => {
      const done = await guardMessages(
        deps,
        principalOf(request),
        request.body,
        request.id,
        request.ip,
        sourceOf(request),
      );
      request.verdict = done.evaluation;
      return done.response;
    },
  );
}
