import {
  CodedError,
  idSchema,
  SCIM,
  type ScimList,
  type ScimPatchRequest,
  type ScimUser,
  type ScimUserRequest,
  scimListSchema,
  scimPatchRequestSchema,
  scimUserRequestSchema,
  scimUserSchema,
} from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import {
  changeUser,
  type DirectoryChange,
  type DirectoryDeps,
  deprovisionUser,
  provisionUser,
  unknownUser,
} from '../../flows/accounts/directory-users.ts';
import { directoryOf } from '../../plugins/directory-auth.ts';
import { needsDirectory } from '../../plugins/route-access.ts';
import type { DirectoryUser } from '../../storage/storage.ts';
import { readFilter, USER_ATTRIBUTES } from './read-filter.ts';
import { type ListQuery, listQuery, readPage } from './read-page.ts';
import { readFlag, readPatch } from './read-patch.ts';
import { scimRoute } from './scim-route.ts';

const params = Type.Object({ user_id: idSchema });
type Params = { user_id: string };
const EMAIL = /^[^\s@]+@[^\s@]+$/;

const config = needsDirectory();

export function registerScimUsers(app: FastifyInstance, deps: DirectoryDeps): void {
  registerUserList(app, deps);
  registerOneUser(app, deps);
}

function registerUserList(app: FastifyInstance, deps: DirectoryDeps): void {
  const toScimUser = (user: DirectoryUser) => scimUser(user, deps.links.scim());

  app.get<{ Querystring: ListQuery }>(
    '/Users',
    {
      config,
      schema: scimRoute({
        id: 'listScimUsers',
        summary: 'List users',
        query: listQuery,
        response: scimListSchema,
      }),
    },
    async (request): Promise<ScimList> => {
      const { filter } = request.query;
      const page = readPage(request.query);
      const { total, users } = await deps.storage.directory.list(directoryOf(request).organizationId, {
        ...page,
        ...readFilter(filter, USER_ATTRIBUTES),
      });
      return {
        schemas: [SCIM.list],
        totalResults: total,
        startIndex: page.offset + 1,
        itemsPerPage: users.length,
        Resources: users.map(toScimUser),
      };
    },
  );

  app.post<{ Body: ScimUserRequest }>(
    '/Users',
    {
      config,
      schema: scimRoute({
        id: 'createScimUser',
        summary: 'Create a user',
        description:
          'Adds a member by email address; an email notifies them. A person with an account is invited and `active: false` until they accept; no later request of the directory changes that. A user that the directory already has is a 409.',
        body: scimUserRequestSchema,
        response: scimUserSchema,
        status: 201,
      }),
    },
    async (request, reply) => {
      const email = request.body.userName.trim();
      if (!EMAIL.test(email)) {
        throw new CodedError('invalid_request', {
          message: 'userName must be an email address.',
          fields: { scimType: 'invalidValue' },
        });
      }
      const made = toScimUser(
        await provisionUser(deps, directoryOf(request), { ...readUser(request.body), email }),
      );
      return reply.code(201).header('Location', made.meta.location).send(made);
    },
  );
}

function registerOneUser(app: FastifyInstance, deps: DirectoryDeps): void {
  const toScimUser = (user: DirectoryUser) => scimUser(user, deps.links.scim());

  app.get<{ Params: Params }>(
    '/Users/:user_id',
    {
      config,
      schema: scimRoute({ id: 'getScimUser', summary: 'Get a user', params, response: scimUserSchema }),
    },
    async (request) => {
      const { organizationId } = directoryOf(request);
      const user = await deps.storage.directory.get(organizationId, request.params.user_id);
      if (user === null) throw unknownUser();
      return toScimUser(user);
    },
  );

  app.put<{ Params: Params; Body: ScimUserRequest }>(
    '/Users/:user_id',
    {
      config,
      schema: scimRoute({
        id: 'replaceScimUser',
        summary: 'Replace a user',
        params,
        body: scimUserRequestSchema,
        response: scimUserSchema,
      }),
    },
    async (request) => {
      const change = { ...readUser(request.body), email: request.body.userName };
      return toScimUser(await changeUser(deps, directoryOf(request), request.params.user_id, change));
    },
  );

  app.patch<{ Params: Params; Body: ScimPatchRequest }>(
    '/Users/:user_id',
    {
      config,
      schema: scimRoute({
        id: 'updateScimUser',
        summary: 'Update a user',
        description:
          '`active: false` ends the membership: keys the person created and devices assigned to them are revoked. It is rejected for the owner.',
        params,
        body: scimPatchRequestSchema,
        response: scimUserSchema,
      }),
    },
    async (request) =>
      toScimUser(
        await changeUser(deps, directoryOf(request), request.params.user_id, readPatch(request.body)),
      ),
  );

  app.delete<{ Params: Params }>(
    '/Users/:user_id',
    {
      config,
      schema: scimRoute({
        id: 'deleteScimUser',
        summary: 'Delete a user',
        params,
        response: null,
        status: 204,
      }),
    },
    async (request, reply) => {
      await deprovisionUser(deps, directoryOf(request), request.params.user_id);
      return reply.code(204).send();
    },
  );
}

/** Reads a complete user: omitted attributes are removed, but for `active`, which stays. */
function readUser(body: ScimUserRequest): DirectoryChange {
  return {
    externalId: body.externalId ?? null,
    givenName: body.name?.givenName ?? null,
    familyName: body.name?.familyName ?? null,
    ...(body.active === undefined ? {} : { isActive: readFlag(body.active) }),
  };
}

function scimUser(user: DirectoryUser, base: string): ScimUser {
  const { givenName, familyName } = user;
  const name = {
    ...(givenName === null ? {} : { givenName }),
    ...(familyName === null ? {} : { familyName }),
  };
  return {
    schemas: [SCIM.user],
    id: user.userId,
    ...(user.externalId === null ? {} : { externalId: user.externalId }),
    userName: user.email,
    ...(Object.keys(name).length === 0 ? {} : { name }),
    emails: [{ value: user.email, type: 'work', primary: true }],
    active: user.isActive,
    meta: {
      resourceType: 'User',
      created: new Date(user.createdAtMs).toISOString(),
      lastModified: new Date(user.updatedAtMs).toISOString(),
      location: `${base}/Users/${user.userId}`,
    },
  };
}
