import {
  type PlaygroundCall,
  type PlaygroundRequest,
  playgroundCallResponseSchema,
  playgroundCallSchema,
  playgroundRequestSchema,
  playgroundResponseSchema,
} from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import { type CallModelDeps, callModel } from '../../flows/insight/call-model.ts';
import { type TryTextDeps, tryText } from '../../flows/insight/try-text.ts';
import { needsRole } from '../../plugins/route-access.ts';
import { memberOf } from '../../plugins/session.ts';
import { clientGone } from '../client-gone.ts';
import { callerOf } from './caller-of.ts';
import { dashboardRoute } from './dashboard-route.ts';

export function registerPlayground(app: FastifyInstance, deps: TryTextDeps & CallModelDeps): void {
  registerModelCall(app, deps);
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

function registerModelCall(app: FastifyInstance, deps: CallModelDeps): void {
  app.post<{ Body: PlaygroundCall }>(
    '/playground/model-call',
    {
      config: needsRole('member', { isHeavy: true, isByProject: true }),
      schema: dashboardRoute({
        id: 'callModel',
        area: 'Security tests',
        summary: 'Send a conversation to a model through the gateway',
        description:
          'Uses the provider credential that is stored on the project. Prompt and response are scanned, recorded and counted as for an application. A blocked prompt or response is the error that the application would receive.',
        body: playgroundCallSchema,
        response: playgroundCallResponseSchema,
        codes: [
          ...(['not_found', 'invalid_request', 'missing_provider_key', 'request_blocked'] as const),
          ...(['response_blocked', 'monthly_quota_exceeded', 'provider_error'] as const),
          'detection_unavailable',
        ],
      }),
    },
    (request) =>
      callModel(deps, { ...callerOf(request), userId: memberOf(request).userId }, request.body, {
        requestId: request.id,
        ipAddress: request.ip,
        signal: clientGone(request),
      }),
  );
}
