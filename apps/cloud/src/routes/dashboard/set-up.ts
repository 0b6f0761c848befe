import { type SetUpRequest, sessionSchema, setUpRequestSchema } from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import { type SetUpOwnerDeps, setUpOwner } from '../../flows/accounts/set-up-owner.ts';
import { openToAll } from '../../plugins/route-access.ts';
import { browserOf } from './browser-of.ts';
import { dashboardRoute } from './dashboard-route.ts';
import { type SessionRouteDeps, sendNewSession } from './session.ts';

export function registerSetUp(app: FastifyInstance, deps: SessionRouteDeps & SetUpOwnerDeps): void {
  app.post<{ Body: SetUpRequest }>(
    '/set-up',
    {
      config: openToAll(),
      schema: dashboardRoute({
        id: 'setUpService',
        area: 'Sign-in',
        summary: 'Set up the service',
        description:
          'Takes the token of the one-time link that the service prints at its start, and signs the owner in.',
        body: setUpRequestSchema,
        response: sessionSchema,
        codes: ['link_expired'],
        isPublic: true,
      }),
    },
    async (request, reply) => {
      const made = await setUpOwner(deps, request.body, browserOf(request));
      return await sendNewSession(deps, reply, made, request.ip);
    },
  );
}
