import { CodedError } from '@csg/shared/contract';
import type { McpServer, Storage } from '../../storage/storage.ts';
import type { McpTarget } from '../../upstream/mcp-transport.ts';
import type { Principal } from '../authenticate-key.ts';

export interface FindServerDeps {
  readonly storage: Pick<Storage, 'mcpServers'>;
  /** Servers of the operator, available to every project. */
  readonly mcpServers: readonly McpServer[];
}

/** Finds a server by name: the project's own, else the operator's. */
export async function findMcpServer(
  deps: FindServerDeps,
  { organizationId, projectId }: Principal,
  name: string,
): Promise<McpTarget & { readonly projectId: string }> {
  if (projectId === null) {
    throw new CodedError('invalid_request', {
      message: 'This key belongs to no project. To use an MCP server, send a key of a project.',
    });
  }
  const own = await deps.storage.mcpServers.find(organizationId, projectId, name);
  if (own !== null) return { ...own, isFromFile: false, projectId };
  const shared = deps.mcpServers.find((server) => server.name === name);
  if (shared !== undefined) return { ...shared, isFromFile: true, projectId };
  throw new CodedError('not_found', { message: 'This project has no MCP server with this name.' });
}
