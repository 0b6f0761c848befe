import {
  idSchema,
  SCIM,
  type ScimGroup,
  type ScimGroupList,
  type ScimGroupRequest,
  type ScimPatchRequest,
  scimGroupListSchema,
  scimGroupRequestSchema,
  scimGroupSchema,
  scimPatchRequestSchema,
} from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import {
  changeGroup,
  createGroup,
  type DirectoryGroupDeps,
  type GroupChange,
  removeGroup,
  unknownGroup,
} from '../../flows/accounts/directory-groups.ts';
import type { Links } from '../../flows/links.ts';
import { directoryOf } from '../../plugins/directory-auth.ts';
import { needsDirectory } from '../../plugins/route-access.ts';
import type { DirectoryGroup, GroupMember, Storage } from '../../storage/storage.ts';
import { GROUP_ATTRIBUTES, readFilter } from './read-filter.ts';
import { readGroupPatch } from './read-group-patch.ts';
import { type ListQuery, listQuery, readPage, resourceQuery, wantsMembers } from './read-page.ts';
import { scimRoute } from './scim-route.ts';

export interface GroupRouteDeps extends DirectoryGroupDeps {
  readonly storage: Pick<Storage, 'directoryGroups' | 'transaction'>;
  readonly links: Pick<Links, 'scim'>;
}

const params = Type.Object({ group_id: idSchema });
type Params = { group_id: string };
/** Groups of a page, if their members are part of it. */
const MAX_WITH_MEMBERS = 20;

const config = needsDirectory();

export function registerScimGroups(app: FastifyInstance, deps: GroupRouteDeps): void {
  registerGroupList(app, deps);
  registerOneGroup(app, deps);
}

function registerGroupList(app: FastifyInstance, deps: GroupRouteDeps): void {
  app.get<{ Querystring: ListQuery }>(
    '/Groups',
    {
      config,
      schema: scimRoute({
        id: 'listScimGroups',
        summary: 'List groups',
        description: `With their members, a page has at most ${MAX_WITH_MEMBERS} groups: exclude them by \`excludedAttributes=members\`.`,
        query: listQuery,
        response: scimGroupListSchema,
      }),
    },
    async (request): Promise<ScimGroupList> => {
      const { organizationId } = directoryOf(request);
      const isWhole = wantsMembers(request.query);
      const page = readPage(request.query, isWhole ? MAX_WITH_MEMBERS : undefined);
      const { total, groups } = await deps.storage.directoryGroups.list(organizationId, {
        ...page,
        ...readFilter(request.query.filter, GROUP_ATTRIBUTES),
      });
      return {
        schemas: [SCIM.list],
        totalResults: total,
        startIndex: page.offset + 1,
        itemsPerPage: groups.length,
        Resources: await scimGroups(deps, groups, isWhole),
      };
    },
  );

  app.post<{ Body: ScimGroupRequest }>(
    '/Groups',
    {
      config,
      schema: scimRoute({
        id: 'createScimGroup',
        summary: 'Create a group',
        description:
          'A group gives roles if the role map of the organization names its id, or its name where an admin confirmed that. Another group of the same name or `externalId` is a 409.',
        body: scimGroupRequestSchema,
        response: scimGroupSchema,
        status: 201,
      }),
    },
    async (request, reply) => {
      const { displayName } = request.body;
      const group = await createGroup(deps, directoryOf(request), {
        ...readGroup(request.body),
        displayName,
      });
      const [made] = await scimGroups(deps, [group], true);
      return reply.code(201).header('Location', made!.meta.location).send(made);
    },
  );
}

function registerOneGroup(app: FastifyInstance, deps: GroupRouteDeps): void {
  app.get<{ Params: Params; Querystring: ListQuery }>(
    '/Groups/:group_id',
    {
      config,
      schema: scimRoute({
        id: 'getScimGroup',
        summary: 'Get a group',
        params,
        query: resourceQuery,
        response: scimGroupSchema,
      }),
    },
    async (request) => {
      const { organizationId } = directoryOf(request);
      const group = await deps.storage.directoryGroups.get(organizationId, request.params.group_id);
      if (group === null) throw unknownGroup();
      return (await scimGroups(deps, [group], wantsMembers(request.query)))[0];
    },
  );

  app.put<{ Params: Params; Body: ScimGroupRequest }>(
    '/Groups/:group_id',
    {
      config,
      schema: scimRoute({
        id: 'replaceScimGroup',
        summary: 'Replace a group',
        description: 'Omitted members are removed.',
        params,
        body: scimGroupRequestSchema,
        response: scimGroupSchema,
      }),
    },
    async (request) => {
      const change = readGroup(request.body);
      const group = await changeGroup(deps, directoryOf(request), request.params.group_id, change);
      return (await scimGroups(deps, [group], true))[0];
    },
  );

  app.patch<{ Params: Params; Body: ScimPatchRequest }>(
    '/Groups/:group_id',
    {
      config,
      schema: scimRoute({
        id: 'updateScimGroup',
        summary: 'Update a group',
        description:
          'Adds, removes and replaces members, also by `members[value eq "…"]`, and changes the name. Roles that depend on the group change with it.',
        params,
        body: scimPatchRequestSchema,
        response: null,
        status: 204,
      }),
    },
    async (request, reply) => {
      await changeGroup(deps, directoryOf(request), request.params.group_id, readGroupPatch(request.body));
      return reply.code(204).send();
    },
  );

  app.delete<{ Params: Params }>(
    '/Groups/:group_id',
    {
      config,
      schema: scimRoute({
        id: 'deleteScimGroup',
        summary: 'Delete a group',
        description: 'Its members stay members, without the roles that the group gave.',
        params,
        response: null,
        status: 204,
      }),
    },
    async (request, reply) => {
      await removeGroup(deps, directoryOf(request), request.params.group_id);
      return reply.code(204).send();
    },
  );
}

/** Reads a complete group: omitted attributes are removed. */
function readGroup({ displayName, externalId, members = [] }: ScimGroupRequest): GroupChange {
  const userIds = members.map(({ value }) => value);
  return { displayName, externalId: externalId ?? null, members: [{ kind: 'replace', userIds }] };
}

async function scimGroups(
  { storage, links }: GroupRouteDeps,
  groups: readonly DirectoryGroup[],
  isWhole: boolean,
): Promise<ScimGroup[]> {
  const [first] = groups;
  const members =
    first === undefined || !isWhole
      ? []
      : await storage.directoryGroups.listMembers(
          first.organizationId,
          groups.map(({ id }) => id),
        );
  const byGroup = Map.groupBy(members, ({ groupId }) => groupId);
  return groups.map((group) =>
    scimGroup(group, isWhole ? (byGroup.get(group.id) ?? []) : null, links.scim()),
  );
}

function scimGroup(group: DirectoryGroup, members: readonly GroupMember[] | null, base: string): ScimGroup {
  return {
    schemas: [SCIM.group],
    id: group.id,
    ...(group.externalId === null ? {} : { externalId: group.externalId }),
    displayName: group.displayName,
    ...(members === null
      ? {}
      : {
          members: members.map(({ userId, email }) => ({
            ...{ value: userId, display: email, type: 'User' as const },
            $ref: `${base}/Users/${userId}`,
          })),
        }),
    meta: {
      resourceType: 'Group',
      created: new Date(group.createdAtMs).toISOString(),
      lastModified: new Date(group.updatedAtMs).toISOString(),
      location: `${base}/Groups/${group.id}`,
    },
  };
}
