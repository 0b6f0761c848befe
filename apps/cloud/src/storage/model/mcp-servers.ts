import { flag, hidden, number, orNull, type RecordOf, table, text } from '../table.ts';

/** An MCP server of a project. Its URL and headers are sealed. */
export interface McpServer {
  readonly name: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface McpServers {
  /** Ordered by name. */
  list(organizationId: string, projectId: string): Promise<readonly McpServer[]>;
  find(organizationId: string, projectId: string, name: string): Promise<McpServer | null>;
  /** The caller must check that the project belongs to the organization. */
  put(projectId: string, server: McpServer): Promise<void>;
  /** Also removes its tools. */
  remove(organizationId: string, projectId: string, name: string): Promise<boolean>;
}

/** A tool of an MCP server in one project. Definitions are canonical JSON. */
export const mcpToolTable = table({
  projectId: hidden(text),
  server: text,
  name: text,
  /** The definition that clients see; null: none yet. */
  pinned: orNull(text),
  /** The server's current definition, if a person must approve it. */
  proposed: orNull(text),
  /** The definition that was denied last. */
  denied: orNull(text),
  /** True if the annotations of the pinned definition keep the tool inside the organization. */
  isClosedWorld: hidden(flag),
  changedAtMs: number,
});
export type McpTool = RecordOf<typeof mcpToolTable>;

export interface PinnedTool {
  readonly definition: string;
  readonly isClosedWorld: boolean;
}

export interface McpTools {
  /** Ordered by name; for one server, or for all. */
  list(organizationId: string, projectId: string, server?: string): Promise<readonly McpTool[]>;
  /** Pins the definition of a tool's first listing. Has no effect if another instance has listed the tool before. */
  pin(projectId: string, server: string, name: string, tool: PinnedTool): Promise<void>;
  /** null: the server's definition is the pinned one, or was denied. */
  propose(projectId: string, server: string, name: string, proposed: string | null): Promise<void>;
  /** false: this definition is not, or no longer, the proposed one. `approved` null denies it. */
  decide(
    projectId: string,
    tool: { readonly server: string; readonly name: string; readonly proposed: string },
    approved: PinnedTool | null,
  ): Promise<boolean>;
  /** Names of the tools that stay inside the organization. */
  listClosedWorld(projectId: string): Promise<readonly string[]>;
}
