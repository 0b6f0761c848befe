import { taintedTexts, type Verdict } from '@csg/shared/decision';
import { isJsonObject, readLeafTextsInSteps, replacementsByPath, writeTexts } from '@csg/shared/providers';
import { type Conversation, parseStrictJsonText } from '@csg/shared/text';
import { labelled } from '../../upstream/mcp-transport.ts';
import { providerError } from '../../upstream/provider-error.ts';
import { noteTaint, type TaintDeps } from '../agent/note-taint.ts';
import { type Evaluation, evaluate } from '../decision/evaluate.ts';
import { type ReadFilesDeps, readFiles } from '../read-files.ts';
import type { McpExchange } from './mcp-exchange.ts';
import { type McpMessage, rejected, withheldResult } from './message.ts';
import { dropTools, type PinToolsDeps, pinTools } from './pin-tools.ts';
import type { SessionHistories } from './session-history.ts';

export interface ServerMessageDeps extends PinToolsDeps, TaintDeps, ReadFilesDeps {
  readonly storage: PinToolsDeps['storage'] & TaintDeps['storage'];
  readonly mcpHistories: SessionHistories;
}

export interface ReadMessage {
  /** The message as sent to the client; null: it is dropped. */
  readonly source: string | null;
  /** Null if there was nothing to evaluate. */
  readonly evaluation: Evaluation | null;
}

/** Large results are records and pages: the same limits as for a model's response. */
const BOUNDS = { members: 2_000_000, items: 10_000_000 };

/** Evaluates a server's message for the client: its texts are untrusted data. */
export async function readServerMessage(
  deps: ServerMessageDeps,
  exchange: McpExchange,
  source: string,
): Promise<ReadMessage> {
  const message = parsed(exchange, source);
  const result = message['result'];
  if (isJsonObject(result) && Array.isArray(result['tools'])) {
    const isRequested = deps.mcpHistories.takeListing(exchange, message['id']);
    if (!isRequested) return { source: null, evaluation: await dropTools(deps, exchange, result['tools']) };
    return await readListing(deps, exchange, message, result, source);
  }
  return await readTexts(deps, exchange, message, source, []);
}

async function readListing(
  deps: ServerMessageDeps,
  exchange: McpExchange,
  message: McpMessage,
  result: Readonly<Record<string, unknown>>,
  source: string,
): Promise<ReadMessage> {
  const { tools, isUnchanged, held } = await pinTools(deps, exchange, result['tools'] as unknown[]);
  const listing = isUnchanged ? source : JSON.stringify({ ...message, result: { ...result, tools } });
  const read = await readTexts(deps, exchange, message, listing, ['/result/tools', '/result/nextCursor']);
  return { source: read.source, evaluation: held ?? read.evaluation };
}

async function readTexts(
  deps: ServerMessageDeps,
  exchange: McpExchange,
  message: McpMessage,
  source: string,
  /** Paths of texts that are evaluated elsewhere. */
  known: readonly string[],
): Promise<ReadMessage> {
  const { principal, session, toolName } = exchange;
  const { jsonrpc: _version, id: _id, method: _method, ...texts } = message;
  const reading = readLeafTextsInSteps(texts, 'tool_result', () => source);
  const all = await deps.pacedTurns.run(principal, reading);
  const leaves = {
    ...all,
    slots: all.slots.filter(
      ({ path }) => !known.some((start) => path === start || path.startsWith(`${start}/`)),
    ),
  };
  const read = await readFiles(deps, principal, leaves);
  if (read.slots.length === 0 && read.unscanned.length === 0) return { source, evaluation: null };
  const evaluation = await evaluate(deps, principal, {
    recorded: exchange.recorded,
    direction: 'input',
    texts: { conversation: read, unread: read.unscanned },
    delivery: 'written',
    withholds: true,
    destination: exchange.destination,
  });
  const { findings, replacements } = evaluation.verdict;
  await noteTaint(deps, principal, session, 'guard', read.slots, findings);
  const shown =
    evaluation.decision === 'block'
      ? withheld(exchange, message, evaluation)
      : evaluation.decision === 'redact'
        ? writeTexts(source, replacementsByPath(read.slots, replacements))
        : source;
  if (session !== null && toolName !== null && evaluation.decision !== 'block')
    deps.mcpHistories.note(session, toolName, textsOf(shown), withheldTexts(evaluation.verdict, read));
  return { source: shown, evaluation };
}

function withheld({ method }: McpExchange, message: McpMessage, evaluation: Evaluation): string {
  const isResult = method === 'tools/call' && message['result'] !== undefined;
  // A notification has no reply that could explain it, so its parameters are removed.
  if (message['id'] === undefined) return JSON.stringify({ ...message, params: {} });
  return JSON.stringify(isResult ? withheldResult(message, evaluation) : rejected(message, evaluation));
}

/** Returns the passages that the client does not get, for flow control. */
function withheldTexts(verdict: Verdict, conversation: Conversation): readonly string[] {
  return taintedTexts(verdict, conversation).flatMap(({ slot, passages }) =>
    passages.map(({ start, end }) => slot.text.slice(start, end)),
  );
}

/** Returns the texts of a tool's result; other blocks as JSON. */
function textsOf(source: string): string {
  const { result } = JSON.parse(source) as { readonly result?: { readonly content?: unknown } };
  const blocks = Array.isArray(result?.content) ? result.content : [];
  return blocks
    .map((block) => (typeof block?.text === 'string' ? block.text : JSON.stringify(block)))
    .join('\n');
}

function parsed({ server }: McpExchange, source: string): McpMessage {
  let value: unknown;
  try {
    value = parseStrictJsonText(source, BOUNDS);
  } catch (cause) {
    throw providerError(labelled(server), 'not_json', cause);
  }
  if (!isJsonObject(value) || value['jsonrpc'] !== '2.0') throw providerError(labelled(server), 'not_json');
  return value as McpMessage;
}
