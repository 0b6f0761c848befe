import { shape } from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { createReadiness, type ReadinessDeps } from '../flows/read-readiness.ts';
import type { InFlightLimiter } from '../limits/in-flight-limiter.ts';
import { openToAll } from '../plugins/route-access.ts';
import { documented } from './documented.ts';

export interface ServiceDependencies extends ReadinessDeps {
  readonly isDraining: () => boolean;
  readonly work: Pick<InFlightLimiter, 'isOverloaded'>;
}

const healthSchema = shape('ServiceHealth', { status: Type.Enum(['ok', 'overloaded']) });

const SERVICE_INFO = {
  name: 'Content Security Gateway',
  description: 'A security gateway for applications that call large language models.',
  status: 'operational',
  documentation: '/docs',
};

/** Registers routes without authentication: name and health. They do not reveal the version or environment. */
export function registerService(app: FastifyInstance, deps: ServiceDependencies): void {
  app.get(
    '/',
    {
      config: openToAll(),
      schema: documented({
        tag: 'Service',
        id: 'getServiceInfo',
        summary: 'Get the name and state of this service',
        response: shape('ServiceInfo', {
          name: Type.String(),
          description: Type.String(),
          status: Type.String(),
          documentation: Type.String(),
        }),
        open: true,
      }),
    },
    async (request, reply) => {
      reply.header('Vary', 'Origin, Accept');
      // A person opens the address that the start prints; programs accept JSON.
      if (request.headers.accept?.includes('text/html') === true) return reply.redirect('/dashboard/');
      return SERVICE_INFO;
    },
  );

  app.get(
    '/version',
    {
      config: openToAll(),
      schema: documented({
        tag: 'Service',
        id: 'getVersion',
        summary: 'Get an empty object',
        response: Type.Object({}),
        open: true,
      }),
    },
    async () => ({}),
  );

  app.get(
    '/health',
    {
      config: openToAll(),
      schema: documented({
        tag: 'Service',
        id: 'getLiveness',
        summary: 'Check whether the process is alive',
        description: '`overloaded` while requests receive a 503 because of overload.',
        response: healthSchema,
        open: true,
      }),
    },
    async () => ({ status: deps.work.isOverloaded() ? 'overloaded' : 'ok' }),
  );
  registerReadiness(app, deps);
}

function registerReadiness(app: FastifyInstance, deps: ServiceDependencies): void {
  const readProblems = createReadiness(deps);
  const readiness = shape('ServiceReadiness', {
    status: Type.String(),
    faults: Type.Record(Type.String(), Type.String()),
  });
  app.get(
    '/health/ready',
    {
      config: openToAll(),
      schema: {
        ...documented({
          tag: 'Service',
          id: 'getReadiness',
          summary: 'Check whether the service can take requests',
          description:
            '503 while the service shuts down or cannot store decisions. `overloaded` is a 200: the dashboard, and organizations within their share of the load, are still served.',
          response: readiness,
          open: true,
        }),
        response: { 200: readiness, 503: readiness },
      },
    },
    async (_request, reply) => {
      if (deps.isDraining()) return reply.code(503).send({ status: 'draining', faults: {} });
      const problems = await readProblems();
      const well = Object.keys(problems).length === 0;
      const status = well ? (deps.work.isOverloaded() ? 'overloaded' : 'ready') : 'not ready';
      return reply.code(well ? 200 : 503).send({ status, faults: problems });
    },
  );
}

/** `/api/v1/health`: the same response under the developers' prefix. */
export function registerApiHealth(app: FastifyInstance, deps: Pick<ServiceDependencies, 'work'>): void {
  app.get(
    '/health',
    {
      config: openToAll(),
      schema: documented({
        tag: 'Service',
        id: 'getHealth',
        summary: 'Check whether the service is up',
        response: healthSchema,
        open: true,
      }),
    },
    async () => ({ status: deps.work.isOverloaded() ? 'overloaded' : 'ok' }),
  );
}
