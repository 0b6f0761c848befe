import { CodedError, SCIM, SCIM_TYPE } from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import type { PacedTurns } from '../../fairness/paced-turns.ts';
import type { DirectoryDeps } from '../../flows/people/directory-users.ts';
import { type DirectoryAuthDeps, registerDirectoryAuth } from '../../plugins/directory-auth.ts';
import { registerJsonBody } from '../../plugins/json-body.ts';
import { needsDirectory } from '../../plugins/route-access.ts';
import { serviceProviderConfig, userResourceType, userSchema, wholeList } from './describe-service.ts';
import { registerScimErrors } from './scim-errors.ts';
import { scimRoute } from './scim-route.ts';
import { registerScimUsers } from './users.ts';

const BODY_BYTES = 262_144;
const anything = Type.Object({}, { additionalProperties: true });

/** SCIM 2.0: an identity provider makes members and takes them away. */
export function registerScim(
  app: FastifyInstance,
  deps: DirectoryDeps & DirectoryAuthDeps & { readonly pacedTurns: PacedTurns },
): void {
  registerJsonBody(app, 'typed', BODY_BYTES, deps.pacedTurns, [SCIM_TYPE, 'application/json']);
  registerScimErrors(app);
  registerDirectoryAuth(app, deps);
  app.addHook('onSend', async (_request, reply, payload) => {
    if (reply.statusCode !== 204) reply.type(SCIM_TYPE);
    return payload;
  });
  registerScimUsers(app, deps);

  const config = needsDirectory();
  const base = () => deps.links.scim();
  const describe = (path: string, summary: string, answer: () => object) =>
    app.get(path, { config, schema: scimRoute({ summary, answer: anything }) }, async () => answer());
  describe('/ServiceProviderConfig', 'What this service can do', () => serviceProviderConfig(base()));
  describe('/ResourceTypes', 'List kinds of resources', () => wholeList([userResourceType(base())]));
  describe('/ResourceTypes/User', 'Read the kind of users', () => userResourceType(base()));
  describe('/Schemas', 'List schemas', () => wholeList([userSchema(base())]));
  app.get<{ Params: { schema_id: string } }>(
    '/Schemas/:schema_id',
    {
      config,
      schema: scimRoute({
        summary: 'Read a schema',
        params: Type.Object({ schema_id: Type.String({ maxLength: 100 }) }),
        answer: anything,
      }),
    },
    async (request) => {
      if (request.params.schema_id !== SCIM.user) {
        throw new CodedError('not_found', { message: 'There is no schema with this id.' });
      }
      return userSchema(base());
    },
  );
}
