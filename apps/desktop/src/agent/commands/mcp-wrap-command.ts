import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { createMcpGuard, guardLines, type McpEvaluator, type McpLine } from '@csg/shared/providers';
import type { AgentParts } from '../host/open-agent.ts';
import { runHook } from './hook-command.ts';

/** The assistant's side: standard input and output of this process. */
export interface McpClient {
  readonly input: Readable;
  readonly output: Writable;
  readonly log: (line: string) => void;
}

/** Runs an MCP server and filters between it and the assistant until one of them ends. Resolves to its exit code. */
export async function wrapMcpServer(
  parts: AgentParts,
  [program = '', ...args]: readonly string[],
  { input, output, log }: McpClient,
): Promise<number> {
  const guard = guardLines(createMcpGuard(hookEvaluator(parts, log)));
  const server = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'], windowsHide: true });
  const failed = new Promise<Error>((resolve) => server.once('error', resolve));
  // Writing to a server that has ended fails.
  server.stdin.on('error', () => {});
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => server.kill(signal));
  const report = (problem: string | null): void => {
    if (problem !== null) log(problem);
  };
  const relay = async (from: Readable, to: Writable, back: Writable, rule: McpRule): Promise<void> => {
    for await (const line of linesOf(from)) {
      const { onward, back: replies, problem } = await rule(line);
      report(problem);
      for (const reply of replies) await writeLine(back, reply);
      if (onward !== null) await writeLine(to, onward);
    }
  };
  const closed = once(server, 'close');
  void relay(input, server.stdin, output, guard.fromClient).finally(() => server.stdin.end());
  const answered = relay(server.stdout, output, server.stdin, guard.fromServer);
  const ended = await Promise.race([failed, closed]);
  if (ended instanceof Error) {
    log(`"${program}" could not be started: ${ended.message}`);
    return 1;
  }
  await answered;
  const [code] = ended as [number | null];
  return code ?? 1;
}

type McpRule = (line: string) => Promise<McpLine>;

/** Evaluates like a coding agent's hooks: by the service, or without it by the engine on this computer. */
function hookEvaluator(parts: AgentParts, log: (line: string) => void): McpEvaluator {
  const session = { session_id: randomUUID() };
  const evaluate = async (hook: object): Promise<string | null> => {
    const { reply, problem, exitCode } = await runHook(
      parts,
      JSON.stringify({ ...session, ...hook }),
      Date.now(),
    );
    if (problem !== null) log(problem);
    if (exitCode !== 0) return 'It could not be evaluated, and the policy fails closed.';
    const { decision, reason } = reply as { decision?: string; reason?: string };
    return decision === 'deny' ? (reason ?? 'Blocked by the content security policy.') : null;
  };
  return {
    evaluateCall: (tool_name, tool_input) =>
      evaluate({ hook_event_name: 'BeforeMcpCall', tool_name, tool_input }),
    // A method is not a tool, so the project's tool lists do not apply to it.
    evaluateContent: async ({ source, value }) => ({
      reason: await evaluate({ hook_event_name: 'AfterMcpCall', tool_name: source, tool_response: value }),
    }),
  };
}

/** Splits at line feeds only: JSON strings may contain other Unicode line separators. */
async function* linesOf(stream: Readable): AsyncIterable<string> {
  stream.setEncoding('utf8');
  let parts: string[] = [];
  for await (const chunk of stream as AsyncIterable<string>) {
    const [first = '', ...others] = chunk.split('\n');
    parts.push(first);
    for (const next of others) {
      const line = parts.join('');
      if (line.trim() !== '') yield line;
      parts = [next];
    }
  }
  const line = parts.join('');
  if (line.trim() !== '') yield line;
}

async function writeLine(stream: Writable, line: string): Promise<void> {
  if (!stream.destroyed && !stream.write(`${line}\n`))
    await Promise.race([once(stream, 'drain'), once(stream, 'close')]);
}
