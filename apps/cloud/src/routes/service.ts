import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { openToAll } from '../plugins/route-access.ts';
import { documented } from './documented.ts';

export interface ServiceDeps {
  /** Resolves to the parts that are not well, by name, in words for anybody; empty when all is well. */
  readonly faults: () => Promise<Readonly<Record<string, string>>>;
  readonly isDraining: () => boolean;
  readonly isOverloaded: () => boolean;
}

const alive = Type.Object({ status: Type.Enum(['ok', 'overloaded']) });

/** What anybody may ask: who this is, and whether it is well. Tells no version and no environment. */
export function registerService(app: FastifyInstance, deps: ServiceDeps): void {
  app.get(
    '/',
    {
      config: openToAll(),
      schema: documented({
        tag: 'Service',
        summary: 'What this is',
        answer: Type.Object({
          name: Type.String(),
          description: Type.String(),
          status: Type.String(),
          documentation: Type.String(),
        }),
        open: true,
      }),
    },
    async () => ({
      name: 'Content Security Gateway',
      description: 'A security gateway for applications that call large language models.',
      status: 'operational',
      documentation: '/docs',
    }),
  );

  app.get(
    '/version',
    {
      config: openToAll(),
      schema: documented({
        tag: 'Service',
        summary: 'Constant and empty',
        answer: Type.Object({}),
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
        summary: 'Is the process alive',
        description: '`overloaded` while requests are told to come again because there is too much to do.',
        answer: alive,
        open: true,
      }),
    },
    async () => ({ status: deps.isOverloaded() ? 'overloaded' : 'ok' }),
  );

  const readiness = Type.Object({
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
          summary: 'May it be sent requests',
          description:
            '503 while it drains or cannot store what it decides. `overloaded` is a 200: people, and organizations that do not flood, are served all the same.',
          answer: readiness,
          open: true,
        }),
        response: { 200: readiness, 503: readiness },
      },
    },
    async (_request, reply) => {
      if (deps.isDraining()) return reply.code(503).send({ status: 'draining', faults: {} });
      const faults = await deps.faults();
      const well = Object.keys(faults).length === 0;
      const status = well ? (deps.isOverloaded() ? 'overloaded' : 'ready') : 'not ready';
      return reply.code(well ? 200 : 503).send({ status, faults });
    },
  );
}

/** `/api/v1/health`: the same answer under the developers' prefix. */
export function registerApiHealth(app: FastifyInstance, isOverloaded: () => boolean): void {
  app.get(
    '/health',
    {
      config: openToAll(),
      schema: documented({
        tag: 'Service',
        summary: 'Is the service up',
        answer: alive,
        open: true,
      }),
    },
    async () => ({ status: isOverloaded() ? 'overloaded' : 'ok' }),
  );
}
