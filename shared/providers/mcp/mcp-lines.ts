import { parseStrictJsonText } from '../../text/index.ts';
import { isJsonObject } from '../reading/text-collector.ts';
import type { McpGuard, McpMessage, McpOutcome } from './mcp-guard.ts';

/** The result of evaluating a line. */
export interface McpLine {
  /** The line for the other side; null: none. An allowed line is unchanged. */
  readonly onward: string | null;
  /** Replies to the sender. */
  readonly back: readonly string[];
  readonly problem: string | null;
}

/** Like McpGuard, over standard input and output: one message or batch per line. */
export interface McpLineGuard {
  fromClient(line: string): Promise<McpLine>;
  fromServer(line: string): Promise<McpLine>;
}

export function guardLines(guard: McpGuard): McpLineGuard {
  return {
    fromClient: (line) => ruleOnLine(line, guard.fromClient),
    fromServer: (line) => ruleOnLine(line, guard.fromServer),
  };
}

async function ruleOnLine(
  line: string,
  rule: (message: McpMessage) => Promise<McpOutcome>,
): Promise<McpLine> {
  let value: unknown;
  try {
    // Strict: a line that two parsers could read differently is not passed on.
    value = parseStrictJsonText(line);
  } catch (error) {
    return { onward: null, back: [], problem: `A line was dropped: ${(error as Error).message}` };
  }
  const messages: readonly unknown[] = Array.isArray(value) ? value : [value];
  const { passing, replies, problems } = await ruleOnEach(messages, rule);
  const write = (list: readonly McpMessage[]) => JSON.stringify(Array.isArray(value) ? list : list[0]);
  const isUnchanged =
    passing.length === messages.length && passing.every((one, index) => one === messages[index]);
  const onward = isUnchanged ? line : passing.length === 0 ? null : write(passing);
  const back = replies.length === 0 ? [] : [write(replies)];
  return { onward, back, problem: problems.length === 0 ? null : problems.join(' ') };
}

async function ruleOnEach(
  messages: readonly unknown[],
  rule: (message: McpMessage) => Promise<McpOutcome>,
): Promise<{
  readonly passing: readonly McpMessage[];
  readonly replies: readonly McpMessage[];
  readonly problems: readonly string[];
}> {
  const passing: McpMessage[] = [];
  const replies: McpMessage[] = [];
  const problems: string[] = [];
  for (const message of messages) {
    if (!isJsonObject(message)) {
      problems.push('A line was dropped: a message has to be an object.');
      continue;
    }
    const { onward, back, problem } = await rule(message);
    if (onward !== null) passing.push(onward);
    if (back !== null) replies.push(back);
    if (problem !== null) problems.push(problem);
  }
  return { passing, replies, problems };
}
