import { CodedError, SCIM } from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import type { Links } from '../../flows/links.ts';
import { needsDirectory } from '../../plugins/route-access.ts';
import {
  groupResourceType,
  groupSchema,
  serviceProviderConfig,
  userResourceType,
  userSchema,
  wholeList,
} from './describe-service.ts';
import { scimRoute } from './scim-route.ts';

const anything = Type.Object({}, { additionalProperties: true });

/** Registers the capabilities of the directory API and the schemas of its users and groups. */
export function registerServiceDescription(
  app: FastifyInstance,
  deps: { readonly links: Pick<Links, 'scim'> },
): void {
  const config = needsDirectory();
  const base = () => deps.links.scim();
  const describe = (path: string, id: string, summary: string, response: () => object) =>
    app.get(path, { config, schema: scimRoute({ id, summary, response: anything }) }, async () => response());
  describe('/ServiceProviderConfig', 'getScimServiceProviderConfig', 'Get what this service supports', () =>
    serviceProviderConfig(base()),
  );
  describe('/ResourceTypes', 'listScimResourceTypes', 'List resource types', () =>
    wholeList([userResourceType(base()), groupResourceType(base())]),
  );
  describe('/ResourceTypes/User', 'getScimUserResourceType', 'Get the resource type of users', () =>
    userResourceType(base()),
  );
  describe('/ResourceTypes/Group', 'getScimGroupResourceType', 'Get the resource type of groups', () =>
    groupResourceType(base()),
  );
  describe('/Schemas', 'listScimSchemas', 'List schemas', () =>
    wholeList([userSchema(base()), groupSchema(base())]),
  );
  app.get<{ Params: { schema_id: string } }>(
    '/Schemas/:schema_id',
    {
      config,
      schema: scimRoute({
        id: 'getScimSchema',
        summary: 'Get a schema',
        params: Type.Object({ schema_id: Type.String({ maxLength: 100 }) }),
        response: anything,
      }),
    },
    async (request) => {
      const { schema_id: id } = request.params;
      if (id === SCIM.user) return userSchema(base());
      if (id === SCIM.group) return groupSchema(base());
      throw new CodedError('not_found', { message: 'No such schema.' });
    },
  );
}
