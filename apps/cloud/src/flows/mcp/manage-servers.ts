import { createHash } from 'node:crypto';
import {
  CodedError,
  type DecideMcpTool,
  type McpServerRecord,
  type McpToolRecord,
  type SetMcpServer,
  ValidationError,
} from '@csg/shared/contract';
import type { Admin } from '../../access/caller.ts';
import { findProject, unknownProject } from '../../access/find-project.ts';
import { requireRole } from '../../access/require-role.ts';
import { checkTarget } from '../../outbound/check-target.ts';
import type { GuardRules } from '../../outbound/guarded-connector.ts';
import type { McpServer, McpTool, Storage } from '../../storage/storage.ts';
import { isClosedWorld } from './tool-definition.ts';

export interface ManageServersDeps {
  readonly storage: Pick<Storage, 'members' | 'projects' | 'mcpServers' | 'mcpTools' | 'transaction'>;
  readonly mcpServers: readonly McpServer[];
  readonly targetRules: GuardRules;
  /** Makes every request read its key again, so that changes take effect immediately on this instance. */
  readonly forgetKeys: () => void;
}

type Member = Pick<Admin, 'organizationId'>;

const MAX_SERVERS = 100;
/** Headers of the transport and the connection, which only the gateway sets. */
const OWN_HEADERS =
  /^(?:host|connection|content-.*|transfer-encoding|upgrade|te|trailer|keep-alive|expect|accept|accept-encoding|mcp-.*|last-event-id)$/i;

/** Returns the project's servers, then those of the operator that the project does not override. */
export async function listMcpServers(
  deps: ManageServersDeps,
  member: Member,
  projectId: string,
): Promise<McpServerRecord[]> {
  await findProject(deps.storage, member, projectId);
  const own = await deps.storage.mcpServers.list(member.organizationId, projectId);
  const shared = deps.mcpServers.filter(({ name }) => own.every((server) => server.name !== name));
  const tools = await deps.storage.mcpTools.list(member.organizationId, projectId);
  const toolsOf = ({ name }: McpServer) => tools.filter(({ server }) => server === name);
  return [
    ...own.map((server) => serverRecord(server, 'project', toolsOf(server))),
    ...shared.map((server) => serverRecord(server, 'file', toolsOf(server))),
  ];
}

export async function getMcpServer(
  deps: ManageServersDeps,
  member: Member,
  projectId: string,
  name: string,
): Promise<McpServerRecord> {
  const found = (await listMcpServers(deps, member, projectId)).find((server) => server.name === name);
  if (found === undefined) throw unknownServer();
  return found;
}

export async function setMcpServer(
  deps: ManageServersDeps,
  admin: Admin,
  projectId: string,
  name: string,
  { url, headers = {} }: SetMcpServer,
): Promise<McpServerRecord> {
  const { organizationId } = admin;
  await requireRole(deps, admin, 'admin', { projectId });
  const own = Object.keys(headers).find((header) => OWN_HEADERS.test(header));
  if (own !== undefined) {
    const msg = `${own} is set by the gateway.`;
    throw new ValidationError([{ loc: ['body', 'headers', own], msg, type: 'value_error' }]);
  }
  const address = url.trim();
  const warnings = await checkTarget('url', address, deps.targetRules);
  await deps.storage.transaction(async ({ projects, mcpServers, audit }) => {
    // Of two concurrent calls, the second counts the server of the first.
    if ((await projects.lock(organizationId, projectId)) === null) throw unknownProject();
    await mcpServers.put(projectId, { name, url: address, headers });
    if ((await mcpServers.list(organizationId, projectId)).length > MAX_SERVERS) {
      throw new CodedError('plan_limit_reached', {
        message: `A project can have at most ${MAX_SERVERS} MCP servers. Delete one first.`,
        fields: { limit: MAX_SERVERS },
      });
    }
    const data = { server: name, header_names: Object.keys(headers) };
    await audit.append({ organizationId, kind: 'mcp.server_set', actor: admin.id, subject: projectId, data });
  });
  return { ...(await getMcpServer(deps, admin, projectId, name)), warnings: [...warnings] };
}

export async function removeMcpServer(
  deps: ManageServersDeps,
  admin: Admin,
  projectId: string,
  name: string,
): Promise<void> {
  const { organizationId } = admin;
  await requireRole(deps, admin, 'admin', { projectId });
  await deps.storage.transaction(async ({ mcpServers, audit }) => {
    if (!(await mcpServers.remove(organizationId, projectId, name))) throw unknownServer();
    const data = { server: name };
    await audit.append({
      ...{ organizationId, kind: 'mcp.server_removed', actor: admin.id, subject: projectId, data },
    });
  });
  deps.forgetKeys();
}

/** Approves or denies a server's current definition of a tool. */
export async function decideMcpTool(
  deps: ManageServersDeps,
  admin: Admin,
  projectId: string,
  server: string,
  { tool: name, decision, proposed_digest: digest }: DecideMcpTool,
): Promise<McpServerRecord> {
  const { organizationId } = admin;
  await requireRole(deps, admin, 'admin', { projectId });
  await getMcpServer(deps, admin, projectId, server);
  const tools = await deps.storage.mcpTools.list(organizationId, projectId, server);
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new CodedError('not_found', { message: 'This server has no such tool.' });
  const { proposed } = tool;
  if (proposed === null || digestOf(proposed) !== digest) throw notProposed();
  const approved =
    decision === 'approve'
      ? { definition: proposed, isClosedWorld: isClosedWorld(JSON.parse(proposed)) }
      : null;
  await deps.storage.transaction(async ({ mcpTools, audit }) => {
    if (!(await mcpTools.decide(projectId, { server, name, proposed }, approved))) throw notProposed();
    await audit.append({
      organizationId,
      kind: decision === 'approve' ? 'mcp.tool_approved' : 'mcp.tool_denied',
      actor: admin.id,
      subject: projectId,
      data: { server, tool: name, digest },
    });
  });
  deps.forgetKeys();
  return await getMcpServer(deps, admin, projectId, server);
}

function serverRecord(
  { name, url, headers }: McpServer,
  source: McpServerRecord['source'],
  tools: readonly McpTool[],
): McpServerRecord {
  return {
    ...{ name, url, source, header_names: Object.keys(headers), warnings: [] },
    tools: tools.map(toolRecord),
  };
}

function toolRecord({ name, pinned, proposed, changedAtMs }: McpTool): McpToolRecord {
  const shown = pinned === null ? 'denied' : 'pinned';
  const held = pinned === null ? 'withheld' : 'changed';
  return {
    name,
    status: proposed === null ? shown : held,
    pinned: pinned === null ? null : JSON.parse(pinned),
    proposed: proposed === null ? null : JSON.parse(proposed),
    proposed_digest: proposed === null ? null : digestOf(proposed),
    changed_at: new Date(changedAtMs).toISOString(),
  };
}

const digestOf = (definition: string): string => createHash('sha256').update(definition).digest('base64url');

function unknownServer(): CodedError {
  return new CodedError('not_found', { message: 'This project has no MCP server with this name.' });
}

function notProposed(): CodedError {
  return new CodedError('invalid_state', {
    message: 'This definition is not pending approval. It was already decided, or has changed again.',
    fields: { status: 'decided' },
  });
}
