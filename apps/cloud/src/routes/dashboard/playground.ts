import {
  type PlaygroundRequest,
  playgroundRequestSchema,
  playgroundResponseSchema,
} from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import { type TryTextDeps, tryText } from '../../flows/insight/try-text.ts';
import { needsRole } from '../../plugins/route-access.ts';
import { memberOf } from '../../plugins/session.ts';
import { dashboardRoute } from './dashboard-route.ts';

export function registerPlayground(app: FastifyInstance, deps: TryTextDeps): void {
  app.post<{ Body: PlaygroundRequest }>(
    '/playground',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'tryText',
        area: 'Security tests',
        summary: 'Test a text or a conversation in the playground',
        description:
          'Shows what matches and where, and the result of every preset. Nothing is stored, counted or forwarded.',
        body: playgroundRequestSchema,
        response: playgroundResponseSchema,
        codes: ['not_found', 'invalid_request'],
      }),
    },
    (request) => tryText(deps, memberOf(request).organizationId, request.body),
  );
}
