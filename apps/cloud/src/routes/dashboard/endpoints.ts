import {
  type ChangeEndpoint,
  changeEndpointSchema,
  ENDPOINT_KINDS,
  type EndpointKind,
  endpointDeliveryListSchema,
  endpointDeliverySchema,
  endpointSchema,
  idSchema,
  type NewEndpoint,
  newEndpointSchema,
  newWebhookSecretSchema,
  type ReplayDeliveries,
  replayDeliveriesSchema,
  replayedDeliveriesSchema,
  type SavedEndpoint,
  savedEndpointSchema,
} from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import {
  changeEndpoint,
  findOwnEndpoint,
  removeEndpoint,
  removeSecret,
  rotateSecret,
  type SavedEndpoint as Saved,
} from '../../flows/endpoints/change-endpoint.ts';
import { addAnyEndpoint, type TargetDeps } from '../../flows/notifications/change-targets.ts';
import { needsRole } from '../../plugins/route-access.ts';
import { type MemberCaller, memberOf } from '../../plugins/session.ts';
import { pageOfDeliveries } from '../../webhooks/outbound/deliveries.ts';
import { findEndpoint, replayDeliveries, testEndpoint } from '../../webhooks/outbound/endpoint-acts.ts';
import { endpointDelivery, listEndpoints, showEndpoints } from '../../webhooks/outbound/endpoint-records.ts';
import { dashboardRoute } from './dashboard-route.ts';
import {
  DEFAULT_GRACE_MINUTES,
  type DeliveriesQuery,
  deliveriesOfQuery,
  deliveryQuery,
  rotateSchema,
  type WebhookDependencies,
} from './webhooks.ts';

interface OfEndpoint {
  readonly Params: { readonly endpoint_id: string };
}
const params = Type.Object({ endpoint_id: idSchema });
const PATH = '/endpoints';
const ONE = `${PATH}/:endpoint_id`;
const area = 'Webhooks';

type EndpointRouteDeps = WebhookDependencies & TargetDeps;

/** Registers what can be done with endpoints of any kind. */
export function registerEndpoints(app: FastifyInstance, deps: EndpointRouteDeps): void {
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
    (request) => listEndpoints(deps, memberOf(request), request.query),
  );
  registerChanges(app, deps);
  registerActs(app, deps);
  registerSecret(app, deps);
}

/** Adding, changing and removing. */
function registerChanges(app: FastifyInstance, deps: EndpointRouteDeps): void {
  app.post<{ Body: NewEndpoint }>(
    PATH,
    {
      config: needsRole('admin', { isByProject: true }),
      schema: dashboardRoute({
        ...{ id: 'addEndpoint', area, summary: 'Add an endpoint', body: newEndpointSchema },
        description: 'Options that its kind does not have are refused. A project has one policy endpoint.',
        ...{ response: savedEndpointSchema, codes: ['not_found', 'plan_limit_reached'] },
      }),
    },
    async (request) => {
      const member = memberOf(request);
      return await saved(deps, member, await addAnyEndpoint(deps, member, request.body));
    },
  );
  app.patch<OfEndpoint & { Body: ChangeEndpoint }>(
    ONE,
    {
      config: {
        ...needsRole('admin', { isByProject: true }),
        preservedNulls: ['events', 'digest', 'quiet_hours'],
      },
      schema: dashboardRoute({
        ...{ id: 'changeEndpoint', area, summary: 'Change, pause or resume an endpoint', params },
        ...{ body: changeEndpointSchema, response: savedEndpointSchema, codes: ['not_found'] },
      }),
    },
    async (request) => {
      const member = memberOf(request);
      const endpoint = await findOwnEndpoint(deps, member, request.params.endpoint_id);
      return await saved(deps, member, await changeEndpoint(deps, member, endpoint, request.body));
    },
  );
  app.delete<OfEndpoint>(
    ONE,
    {
      config: needsRole('admin', { isByProject: true }),
      schema: dashboardRoute({
        ...{ id: 'removeEndpoint', area, summary: 'Remove an endpoint', params },
        description: 'Its pending deliveries are given up.',
        ...{ response: null, status: 204, codes: ['not_found'] },
      }),
    },
    async (request, reply) => {
      const member = memberOf(request);
      await removeEndpoint(deps, member, await findOwnEndpoint(deps, member, request.params.endpoint_id));
      return reply.code(204).send();
    },
  );
}

async function saved(
  deps: EndpointRouteDeps,
  member: MemberCaller,
  { endpoint, warnings, shownOnce }: Saved,
): Promise<SavedEndpoint> {
  const [record] = await showEndpoints(deps, member, [endpoint]);
  return { ...record!, warnings: [...warnings], ...shownOnce };
}

function registerSecret(app: FastifyInstance, deps: EndpointRouteDeps): void {
  app.post<OfEndpoint & { Body: { grace_minutes?: number } }>(
    `${ONE}/secret`,
    {
      config: needsRole('admin', { isByProject: true }),
      schema: dashboardRoute({
        ...{ id: 'rotateEndpointSecret', area, summary: 'Create or rotate the signing secret', params },
        ...{ body: rotateSchema, response: newWebhookSecretSchema },
        codes: ['not_found', 'feature_not_available', 'invalid_state'],
      }),
    },
    async (request) => {
      const member = memberOf(request);
      const endpoint = await findOwnEndpoint(deps, member, request.params.endpoint_id);
      return await rotateSecret(deps, member, endpoint, request.body.grace_minutes ?? DEFAULT_GRACE_MINUTES);
    },
  );
  app.delete<OfEndpoint>(
    `${ONE}/secret`,
    {
      config: needsRole('admin', { isByProject: true }),
      schema: dashboardRoute({
        ...{ id: 'removeEndpointSecret', area, summary: 'Disable signing', params },
        ...{ response: null, status: 204, codes: ['not_found'] },
      }),
    },
    async (request, reply) => {
      const member = memberOf(request);
      await removeSecret(deps, member, await findOwnEndpoint(deps, member, request.params.endpoint_id));
      return reply.code(204).send();
    },
  );
}

/** Tests, replays and the list of deliveries. */
function registerActs(app: FastifyInstance, deps: EndpointRouteDeps): void {
  app.post<OfEndpoint>(
    `${ONE}/test`,
    {
      config: needsRole('admin', { isByProject: true }),
      schema: dashboardRoute({
        ...{ id: 'testEndpoint', area, summary: 'Send a test to an endpoint', params },
        description: 'Makes one attempt, even while it is disabled or paused, with `X-Service-Test: true`.',
        ...{ response: endpointDeliverySchema, codes: ['not_found'] },
      }),
    },
    async (request) => {
      const member = memberOf(request);
      const endpoint = await findOwnEndpoint(deps, member, request.params.endpoint_id);
      return endpointDelivery(await testEndpoint(deps, member, endpoint));
    },
  );
  app.post<OfEndpoint & { Body: ReplayDeliveries }>(
    `${ONE}/replay`,
    {
      config: needsRole('admin', { isByProject: true }),
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
      const endpoint = await findOwnEndpoint(deps, member, request.params.endpoint_id);
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
