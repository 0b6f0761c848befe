import { randomUUID } from 'node:crypto';
import { createGatewayClient, type GatewayClient } from '@csg/client';
import type { Command } from 'commander';
import { readBuildInfo } from '../config/build-info.ts';

interface Connection {
  readonly url: string;
}

/** Standard output is reserved for the protocol, so messages go to standard error. */
const log = (line: string): void => void process.stderr.write(`${line}\n`);

export function addMcpCommand(program: Command): void {
  const url = process.env['GATEWAY_URL'] ?? 'http://127.0.0.1:8787';
  program
    .command('mcp')
    .description(
      'an MCP server on standard input and output: scan, redact, scrape, validate-tool (requires SERVICE_KEY)',
    )
    .option('--url <address>', 'URL of the running gateway', url)
    .action(async (options: Connection) => {
      const { createGatewayTools } = await import('../mcp/gateway-tools.ts');
      const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js');
      const server = createGatewayTools(connect(options), readBuildInfo(undefined).version);
      await server.connect(new StdioServerTransport());
      endWithInput();
    });
  program
    .command('mcp-proxy')
    .description(
      'a proxy between an assistant and an MCP server that validates each call and scans each result (requires SERVICE_KEY)',
    )
    .option('--url <address>', 'URL of the running gateway', url)
    .option('--agent <id>', 'name of the agent in records and statistics', 'mcp')
    .option('--fail-open', 'allow calls and results while the gateway does not respond')
    .argument('<command...>', 'command that starts the server, after --')
    .action(async ([file, ...args]: string[], options: Connection & { agent: string; failOpen?: true }) => {
      const { startGuardProxy } = await import('../mcp/guard-proxy.ts');
      const { createToolCallEvaluator } = await import('../mcp/tool-call-evaluator.ts');
      const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js');
      const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js');
      const { SERVICE_KEY: _key, ...environment } = process.env;
      await startGuardProxy({
        client: new StdioServerTransport(),
        server: new StdioClientTransport({
          command: file!,
          args,
          env: environment as Record<string, string>,
          stderr: 'inherit',
        }),
        evaluator: createToolCallEvaluator(connect(options), {
          agentId: options.agent,
          sessionId: randomUUID(),
        }),
        failOpen: options.failOpen === true,
        log,
      });
      endWithInput();
    });
}

/** Exits when the assistant closes our input, because the transport would keep waiting. */
function endWithInput(): void {
  process.stdin.once('close', () => process.exit(0));
}

function connect({ url }: Connection): GatewayClient {
  const apiKey = process.env['SERVICE_KEY'];
  if (!apiKey) {
    log('Set SERVICE_KEY to a key with the permissions scan, scrape and agent.');
    process.exit(2);
  }
  return createGatewayClient({ baseUrl: url, apiKey });
}
