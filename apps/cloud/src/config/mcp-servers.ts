import { MCP_SERVER_NAME, mcpHeadersSchema } from '@csg/shared/contract';
import { Ajv } from 'ajv';

/** An entry of MCP_SERVERS_FILE: an MCP server of the operator. */
export interface McpServerEntry {
  readonly name: string;
  /** http or https; private addresses are allowed. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

type ReadEntry = Omit<McpServerEntry, 'headers'> & Partial<McpServerEntry>;

const listSchema = {
  type: 'array',
  maxItems: 500,
  items: {
    type: 'object',
    required: ['name', 'url'],
    additionalProperties: false,
    properties: {
      name: { type: 'string', pattern: MCP_SERVER_NAME.source },
      url: { type: 'string', pattern: '^https?://[^/]', maxLength: 2_048 },
      headers: mcpHeadersSchema,
    },
  },
};

/** Validates the file; throws one sentence for the operator. */
export function readMcpServers(value: unknown): readonly McpServerEntry[] {
  // Compiled on demand: most gateways have no such file, and it takes a twentieth of the startup time.
  const validate = new Ajv({ allErrors: false }).compile<ReadEntry[]>(listSchema);
  if (!validate(value)) {
    const [problem] = validate.errors ?? [];
    const where = problem?.instancePath || 'the list';
    throw new Error(`MCP_SERVERS_FILE: ${where} ${problem?.message ?? 'is not valid'}.`);
  }
  const names = value.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`MCP_SERVERS_FILE has two servers with the name ${twice}.`);
  const broken = value.find(({ url }) => !URL.canParse(url));
  if (broken !== undefined)
    throw new Error(`MCP_SERVERS_FILE: the url of ${broken.name} is not a valid URL.`);
  return value.map((entry) => ({ ...entry, headers: entry.headers ?? {} }));
}
