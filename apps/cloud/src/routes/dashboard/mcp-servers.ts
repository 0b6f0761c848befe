import {
  type DecideMcpTool,
  decideMcpToolSchema,
  idSchema,
  MCP_SERVER_NAME,
  mcpServerSchema,
  type SetMcpServer,
  setMcpServerSchema,
} from '@csg/shared/contract';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { redactUrl } from '../../access/redact-url.ts';
import {
  decideMcpTool,
  getMcpServer,
  listMcpServers,
  type ManageServersDeps,
  removeMcpServer,
  setMcpServer,
} from '../../flows/mcp/manage-servers.ts';
import { needsRole } from '../../plugins/route-access.ts';
import { memberOf } from '../../plugins/session.ts';
import { dashboardRoute } from './dashboard-route.ts';

interface OfProject {
  readonly Params: { readonly project_id: string };
}
interface OfServer {
  readonly Params: { readonly project_id: string; readonly name: string };
}

const ofProject = Type.Object({ project_id: idSchema });
const ofServer = Type.Object({
  project_id: idSchema,
  name: Type.String({ pattern: MCP_SERVER_NAME.source }),
});
const PATH = '/projects/:project_id/mcp-servers';
const AREA = 'Agent tools';

/** MCP servers behind the gateway, and the definitions of their tools. An organization token cannot change them. */
export function registerMcpServers(app: FastifyInstance, deps: ManageServersDeps): void {
  registerReading(app, deps);
  registerChanges(app, deps);
}

function registerReading(app: FastifyInstance, deps: ManageServersDeps): void {
  app.get<OfProject>(
    PATH,
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        ...{ id: 'listMcpServers', area: AREA, summary: 'List the MCP servers of a project' },
        description:
          'Includes the servers of the operator. Tools are listed after a client has listed them for the first time.',
        ...{ params: ofProject, response: Type.Array(mcpServerSchema), codes: ['not_found'] },
      }),
    },
    async (request) => {
      const member = memberOf(request);
      const servers = await listMcpServers(deps, member, request.params.project_id);
      return servers.map((server) => ({ ...server, url: redactUrl(server.url, member.role) }));
    },
  );

  app.get<OfServer>(
    `${PATH}/:name`,
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        ...{ id: 'getMcpServer', area: AREA, summary: 'Get an MCP server of a project' },
        ...{ params: ofServer, response: mcpServerSchema, codes: ['not_found'] },
      }),
    },
    async (request) => {
      const member = memberOf(request);
      const { project_id: projectId, name } = request.params;
      const server = await getMcpServer(deps, member, projectId, name);
      return { ...server, url: redactUrl(server.url, member.role) };
    },
  );
}

function registerChanges(app: FastifyInstance, deps: ManageServersDeps): void {
  app.put<OfServer & { Body: SetMcpServer }>(
    `${PATH}/:name`,
    {
      config: needsRole('admin'),
      schema: dashboardRoute({
        ...{ id: 'setMcpServer', area: AREA, summary: 'Configure an MCP server of a project' },
        description: 'Replaces the address and headers. Pinned tools stay pinned.',
        ...{ params: ofServer, body: setMcpServerSchema, response: mcpServerSchema },
        codes: ['not_found', 'plan_limit_reached'],
      }),
    },
    (request) => {
      const { project_id: projectId, name } = request.params;
      return setMcpServer(deps, memberOf(request), projectId, name, request.body);
    },
  );

  app.delete<OfServer>(
    `${PATH}/:name`,
    {
      config: needsRole('admin'),
      schema: dashboardRoute({
        ...{ id: 'deleteMcpServer', area: AREA, summary: 'Delete an MCP server of a project' },
        ...{ params: ofServer, response: null, status: 204, codes: ['not_found'] },
      }),
    },
    async (request, reply) => {
      const { project_id: projectId, name } = request.params;
      await removeMcpServer(deps, memberOf(request), projectId, name);
      return reply.code(204).send();
    },
  );

  app.post<OfServer & { Body: DecideMcpTool }>(
    `${PATH}/:name/decision`,
    {
      config: needsRole('admin'),
      schema: dashboardRoute({
        ...{ id: 'decideMcpTool', area: AREA, summary: 'Approve or deny a tool of an MCP server' },
        description:
          'Applies to the definition with this digest. Clients get an approved definition with their next listing.',
        ...{ params: ofServer, body: decideMcpToolSchema, response: mcpServerSchema },
        codes: ['not_found', 'invalid_state'],
      }),
    },
    (request) => {
      const { project_id: projectId, name } = request.params;
      return decideMcpTool(deps, memberOf(request), projectId, name, request.body);
    },
  );
}
