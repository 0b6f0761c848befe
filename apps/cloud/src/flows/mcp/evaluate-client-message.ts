import { isJsonObject, readLeafTextsInSteps } from '@csg/shared/providers';
import type { Storage } from '../../storage/storage.ts';
import { type AdmitDeps, admitRequest } from '../admit-request.ts';
import type { TraceDeps } from '../agent/trace-tool-calls.ts';
import { type ValidateToolDeps, validateTool } from '../agent/validate-tool.ts';
import { type Evaluation, evaluate } from '../decision/evaluate.ts';
import type { McpExchange } from './mcp-exchange.ts';
import { INVALID_PARAMS, type McpMessage, rejected, rejectedCall } from './message.ts';
import type { SessionHistories } from './session-history.ts';

export interface ClientMessageDeps extends AdmitDeps, ValidateToolDeps, TraceDeps {
  readonly storage: AdmitDeps['storage'] & ValidateToolDeps['storage'] & Pick<Storage, 'mcpTools'>;
  readonly mcpHistories: SessionHistories;
}

export interface ClientMessageRuling {
  /** Replaces the server's reply; null: the message is forwarded. */
  readonly reply: McpMessage | null;
  readonly evaluation: Evaluation | null;
}

const FORWARD: ClientMessageRuling = { reply: null, evaluation: null };

/** Evaluates a message to the server. All of it is scanned; the project's rules for tools apply to tool calls. */
export async function evaluateClientMessage(
  deps: ClientMessageDeps,
  exchange: McpExchange,
  message: McpMessage,
): Promise<ClientMessageRuling> {
  if (exchange.method === 'tools/call') return await evaluateCall(deps, exchange, message);
  const { jsonrpc: _version, id: _id, method: _method, ...leaving } = message;
  return await evaluateLeaving(deps, exchange, message, leaving);
}

/** Evaluates everything except calls: any member can contain texts, whatever the method is. */
async function evaluateLeaving(
  deps: ClientMessageDeps,
  exchange: McpExchange,
  message: McpMessage,
  leaving: unknown,
): Promise<ClientMessageRuling> {
  const { principal, method } = exchange;
  const conversation = await deps.pacedTurns.run(principal, readLeafTextsInSteps(leaving, 'tool_call'));
  if (conversation.slots.length === 0 && conversation.unscanned.length === 0) return FORWARD;
  const usage = isCounted(method) ? await admitRequest(deps, principal, 'monthly_quota_exceeded') : null;
  const evaluation = await evaluate(deps, principal, {
    recorded: { ...exchange.recorded, usage },
    direction: 'output',
    texts: { conversation, unread: conversation.unscanned },
    delivery: 'unchanged',
    destination: exchange.destination,
  });
  return { reply: evaluation.decision === 'block' ? rejected(message, evaluation) : null, evaluation };
}

/** Messages that open a session or keep it alive are not counted, nor those of a call that was already counted. */
function isCounted(method: string | null): boolean {
  if (method === null || method.startsWith('notifications/')) return false;
  return !['initialize', 'tools/list', 'tools/call', 'ping'].includes(method);
}

async function evaluateCall(
  deps: ClientMessageDeps,
  exchange: McpExchange,
  message: McpMessage,
): Promise<ClientMessageRuling> {
  const { principal, server, session, recorded } = exchange;
  const { jsonrpc: _version, id: _id, method: _method, params = {}, ...others } = message;
  if (!isJsonObject(params)) return { reply: invalidParams(message, 'params'), evaluation: null };
  const { name, arguments: args = {}, ...further } = params;
  if (!isJsonObject(args)) return { reply: invalidParams(message, 'arguments'), evaluation: null };
  const tools = await deps.storage.mcpTools.list(principal.organizationId, server.projectId, server.name);
  const tool = tools.find((one) => one.name === name);
  if (typeof name !== 'string' || (tool !== undefined && tool.pinned === null))
    return { reply: unknownTool(message), evaluation: null };
  const beside = await evaluateLeaving(deps, exchange, message, [others, further]);
  if (beside.reply !== null) return beside;
  const usage = await admitRequest(deps, principal, 'monthly_quota_exceeded');
  const definitions = tools.flatMap(({ pinned }) => (pinned === null ? [] : [JSON.parse(pinned) as unknown]));
  const history = session === null ? null : deps.mcpHistories.of(session, definitions);
  const { response, evaluation } = await validateTool(
    deps,
    principal,
    {
      ...{ agent_id: recorded.route, tool_name: name, arguments: args },
      ...(session === null ? {} : { session_id: session }),
    },
    recorded.requestId,
    () => JSON.stringify({ tool_name: name, arguments: args }),
    { route: recorded.route, isCodingAgent: false, usage, history },
  );
  if (response.allowed) return { reply: null, evaluation };
  const refusal = {
    event_id: response.event_id,
    ...(response.review_id === null
      ? {}
      : { review_id: response.review_id, review_required: response.review_required }),
  };
  return { reply: rejectedCall(message, response.reason, refusal), evaluation };
}

function unknownTool(message: McpMessage): McpMessage {
  return paramsError(message, 'This tool is unknown, or withheld until a person approves it.');
}

function invalidParams(message: McpMessage, name: 'params' | 'arguments'): McpMessage {
  return paramsError(message, `${name} must be an object.`);
}

function paramsError({ id }: McpMessage, message: string): McpMessage {
  return { jsonrpc: '2.0', id: id ?? null, error: { code: INVALID_PARAMS, message } };
}
