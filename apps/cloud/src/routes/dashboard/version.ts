import { type VersionAnswer, versionSchema } from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import { needsSession } from '../../plugins/route-access.ts';
import { dashboardRoute } from './dashboard-route.ts';

/** The only place that tells what is running. */
export function registerVersion(app: FastifyInstance, deps: { readonly build: VersionAnswer }): void {
  app.get(
    '/version',
    {
      config: needsSession(),
      schema: dashboardRoute({ summary: 'What is running', answer: versionSchema }),
    },
    async () => deps.build,
  );
}
