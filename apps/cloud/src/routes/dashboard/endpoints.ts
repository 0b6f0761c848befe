import {
  ENDPOINT_KINDS,
  type EndpointKind,
  endpointDeliveryListSchema,
  endpointDeliverySchema,
  endpointSchema,
  idSchema,
  pauseEndpointSchema,
  type ReplayDeliveries,
  replayDeliveriesSchema,
  replayedDeliveriesSchema,
} from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { needsRole } from '../../plugins/route-access.ts';
import { memberOf } from '../../plugins/session.ts';
import { pageOfDeliveries } from '../../webhooks/outbound/deliveries.ts';
import {
  findEndpoint,
  pauseEndpoint,
  replayDeliveries,
  testEndpoint,
} from '../../webhooks/outbound/endpoint-acts.ts';
import { endpointDelivery, listEndpoints } from '../../webhooks/outbound/endpoint-records.ts';
import { dashboardRoute } from './dashboard-route.ts';
import {
  type DeliveriesQuery,
  deliveriesOfQuery,
  deliveryQuery,
  type WebhookDependencies,
} from './webhooks.ts';

interface OfEndpoint {
  readonly Params: { readonly endpoint_id: string };
}
const params = Type.Object({ endpoint_id: idSchema });
const PATH = '/endpoints';
const ONE = `${PATH}/:endpoint_id`;
const area = 'Webhooks';

/** Registers what can be done with endpoints of any kind. Each kind is created by a route of its own. */
export function registerEndpoints(app: FastifyInstance, deps: WebhookDependencies): void {
  app.get<{ Querystring: { kind?: EndpointKind; project_id?: string } }>(
    PATH,
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        ...{ id: 'listEndpoints', area, summary: 'List endpoints' },
        description:
          'Webhooks, policy endpoints, notification targets and the audit target, with their health.',
        query: Type.Object({
          kind: Type.Optional(Type.Enum([...ENDPOINT_KINDS])),
          project_id: Type.Optional(Type.String()),
        }),
        response: Type.Array(endpointSchema),
      }),
    },
    (request) => {
      const { organizationId, role } = memberOf(request);
      return listEndpoints(deps, organizationId, role, request.query);
    },
  );
  app.patch<OfEndpoint & { Body: { paused: boolean } }>(
    ONE,
    {
      config: needsRole('admin'),
      schema: dashboardRoute({
        ...{ id: 'pauseEndpoint', area, summary: 'Pause or resume an endpoint', params },
        ...{ body: pauseEndpointSchema, response: null, status: 204, codes: ['not_found'] },
      }),
    },
    async (request, reply) => {
      const member = memberOf(request);
      const endpoint = await findEndpoint(deps, member, request.params.endpoint_id);
      await pauseEndpoint(deps, member, endpoint, request.body.paused);
      return reply.code(204).send();
    },
  );
  app.post<OfEndpoint>(
    `${ONE}/test`,
    {
      config: needsRole('admin'),
      schema: dashboardRoute({
        ...{ id: 'testEndpoint', area, summary: 'Send a test to an endpoint', params },
        description: 'Makes one attempt, even while it is disabled or paused, with `X-Service-Test: true`.',
        ...{ response: endpointDeliverySchema, codes: ['not_found'] },
      }),
    },
    async (request) => {
      const member = memberOf(request);
      const endpoint = await findEndpoint(deps, member, request.params.endpoint_id);
      return endpointDelivery(await testEndpoint(deps, member, endpoint));
    },
  );
  app.post<OfEndpoint & { Body: ReplayDeliveries }>(
    `${ONE}/replay`,
    {
      config: needsRole('admin'),
      schema: dashboardRoute({
        ...{ id: 'replayEndpointDeliveries', area, summary: 'Replay the deliveries of a period', params },
        description:
          'Oldest first, each with its own `X-Service-Delivery`. Calls of a policy endpoint are not repeated.',
        ...{ body: replayDeliveriesSchema, response: replayedDeliveriesSchema },
        codes: ['not_found', 'invalid_state'],
      }),
    },
    async (request) => {
      const member = memberOf(request);
      const endpoint = await findEndpoint(deps, member, request.params.endpoint_id);
      return await replayDeliveries(deps, member, endpoint, request.body);
    },
  );
  app.get<OfEndpoint & { Querystring: DeliveriesQuery }>(
    `${ONE}/deliveries`,
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        ...{ id: 'listEndpointDeliveries', area, summary: 'List the deliveries of an endpoint', params },
        description: 'Newest first; of a policy endpoint the calls that failed, and tests.',
        ...{ query: deliveryQuery, response: endpointDeliveryListSchema, codes: ['not_found'] },
      }),
    },
    async (request) => {
      const member = memberOf(request);
      const { id } = await findEndpoint(deps, member, request.params.endpoint_id);
      const query = { ...deliveriesOfQuery(request.query), endpointId: id };
      const { deliveries, next } = await pageOfDeliveries(deps, member.organizationId, query);
      return { deliveries: deliveries.map(endpointDelivery), next };
    },
  );
}
