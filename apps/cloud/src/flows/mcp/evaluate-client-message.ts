import { readLeafTexts } from '@csg/shared/providers';
import type { Storage } from '../../storage/storage.ts';
import { type AdmitDeps, admitRequest } from '../admit-request.ts';
import { traceToolCalls } from '../agent/trace-tool-calls.ts';
import { type ValidateToolDeps, validateTool } from '../agent/validate-tool.ts';
import { type Evaluation, evaluateTexts } from '../evaluate-texts.ts';
import type { McpExchange } from './mcp-exchange.ts';
import { callRefused, INVALID_PARAMS, isJsonObject, type McpMessage, rejected } from './message.ts';
import { type SessionHistories, toolCallsOf } from './session-history.ts';

export interface ClientMessageDeps extends AdmitDeps, ValidateToolDeps {
  readonly storage: AdmitDeps['storage'] & ValidateToolDeps['storage'] & Pick<Storage, 'mcpTools'>;
  readonly mcpHistories: SessionHistories;
}

export interface ClientMessageRuling {
  /** In place of the server's reply; null: the message goes on. */
  readonly reply: McpMessage | null;
  readonly evaluation: Evaluation | null;
}

const GOES_ON: ClientMessageRuling = { reply: null, evaluation: null };

/** Reads what leaves for the server. Tool calls are held to what the project says of tools; all of it is scanned. */
export async function evaluateClientMessage(
  deps: ClientMessageDeps,
  exchange: McpExchange,
  message: McpMessage,
): Promise<ClientMessageRuling> {
  const { method } = exchange;
  if (method === 'tools/call') return await evaluateCall(deps, exchange, message);
  // Neither has texts of a conversation.
  if (method === 'initialize' || method === 'tools/list' || method === 'ping') return GOES_ON;
  const leaving = [message['params'], message['result'], message['error']].filter((one) => one !== undefined);
  const conversation = readLeafTexts(leaving, 'tool_call');
  if (conversation.slots.length === 0 || method?.startsWith('notifications/') === true) return GOES_ON;
  const { principal } = exchange;
  const usage = await admitRequest(deps, principal, 'monthly_quota_exceeded');
  const evaluation = await evaluateTexts(deps, principal, {
    ...exchange.texts,
    ...{ conversation, unscanned: conversation.unscanned, direction: 'output', usage },
  });
  return { reply: evaluation.decision === 'block' ? rejected(message, evaluation) : null, evaluation };
}

async function evaluateCall(
  deps: ClientMessageDeps,
  exchange: McpExchange,
  message: McpMessage,
): Promise<ClientMessageRuling> {
  const { principal, server, session, texts } = exchange;
  const params = isJsonObject(message['params']) ? message['params'] : {};
  const { name, arguments: given } = params;
  const args = isJsonObject(given) ? given : {};
  const tools = await deps.storage.mcpTools.list(principal.organizationId, server.projectId, server.name);
  const tool = tools.find((one) => one.name === name);
  if (typeof name !== 'string' || (tool !== undefined && tool.pinned === null))
    return { reply: unknownTool(message), evaluation: null };
  const usage = await admitRequest(deps, principal, 'monthly_quota_exceeded');
  const definitions = tools.flatMap(({ pinned }) => (pinned === null ? [] : [JSON.parse(pinned) as unknown]));
  const flows =
    session === null
      ? []
      : traceToolCalls(principal, toolCallsOf(name, args), deps.mcpHistories.of(session, definitions));
  const { response, evaluation } = await validateTool(
    deps,
    principal,
    {
      ...{ agent_id: texts.route, tool_name: name, arguments: args },
      ...(session === null ? {} : { session_id: session }),
    },
    texts.requestId,
    () => JSON.stringify({ tool_name: name, arguments: args }),
    { route: texts.route, isCodingAgent: false, usage, flows },
  );
  if (response.allowed) return { reply: null, evaluation };
  const meta = {
    event_id: response.event_id,
    ...(response.review_id === null
      ? {}
      : { review_id: response.review_id, review_required: response.review_required }),
  };
  return { reply: callRefused(message, response.reason, meta), evaluation };
}

function unknownTool({ id }: McpMessage): McpMessage {
  const message = 'This tool is unknown, or withheld until a person approves it.';
  return { jsonrpc: '2.0', id: id ?? null, error: { code: INVALID_PARAMS, message } };
}
