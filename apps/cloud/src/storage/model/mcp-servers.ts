import { flag, hidden, number, orNull, type RecordOf, table, text } from '../table.ts';

/** An MCP server of a project. Its address and headers are sealed. */
export interface McpServer {
  readonly name: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface McpServers {
  /** By name. */
  list(organizationId: string, projectId: string): Promise<readonly McpServer[]>;
  find(organizationId: string, projectId: string, name: string): Promise<McpServer | null>;
  /** The project has to be the organization's. */
  put(projectId: string, server: McpServer): Promise<void>;
  /** Its tools go with it. */
  remove(organizationId: string, projectId: string, name: string): Promise<boolean>;
}

/** A tool of an MCP server, as a project has it. Definitions are canonical JSON. */
export const mcpToolTable = table({
  projectId: hidden(text),
  server: text,
  name: text,
  /** What clients are shown; null: nothing yet. */
  pinned: orNull(text),
  /** What the server says now, where a person has to approve it. */
  proposed: orNull(text),
  /** What a person denied last. */
  denied: orNull(text),
  /** By the annotations of what is pinned: it does not reach beyond the organization. */
  isClosedWorld: hidden(flag),
  changedAtMs: number,
});
export type McpTool = RecordOf<typeof mcpToolTable>;

export interface PinnedTool {
  readonly definition: string;
  readonly isClosedWorld: boolean;
}

export interface McpTools {
  /** By name; of one server, or of all. */
  list(organizationId: string, projectId: string, server?: string): Promise<readonly McpTool[]>;
  /** The tool's first listing. One that another instance listed before stays as it is. */
  pin(projectId: string, server: string, name: string, tool: PinnedTool): Promise<void>;
  /** Null: what the server says is what is pinned, or was denied. */
  propose(projectId: string, server: string, name: string, proposed: string | null): Promise<void>;
  /** False: this is not what is proposed, or no longer. `approved`: null denies it. */
  decide(
    projectId: string,
    tool: { readonly server: string; readonly name: string; readonly proposed: string },
    approved: PinnedTool | null,
  ): Promise<boolean>;
  /** Names of the tools that do not reach beyond the organization. */
  listClosedWorld(projectId: string): Promise<readonly string[]>;
}
