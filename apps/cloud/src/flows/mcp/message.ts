import { CodedError } from '@csg/shared/contract';
import { isJsonObject } from '@csg/shared/providers';
import type { Evaluation } from '../decision/evaluate.ts';

/** A JSON-RPC message. */
export type McpMessage = Readonly<Record<string, unknown>>;

/** From the range that JSON-RPC leaves to servers. */
const REJECTED_CODE = -32001;
export const INVALID_PARAMS = -32602;

/** Validates a client's message. MCP has no batches from revision 2025-06-18 on. */
export function readClientMessage(value: unknown): McpMessage {
  if (isJsonObject(value) && value['jsonrpc'] === '2.0') return value;
  throw new CodedError('invalid_request', {
    message: 'The body must be one JSON-RPC 2.0 message. Batches are not supported.',
  });
}

/** Result of a call that was not made, with the reason for the model. */
export function rejectedCall({ id }: McpMessage, reason: string, meta: object): McpMessage {
  return toolError(id, `This call was not made. ${reason}`, meta);
}

/** Replaces a result that is blocked. */
export function withheldResult({ id }: McpMessage, evaluation: Evaluation): McpMessage {
  return toolError(id, `The result was withheld. ${reasonOf(evaluation)}`, { event_id: evaluation.eventId });
}

function toolError(id: unknown, text: string, meta: object): McpMessage {
  return { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }], isError: true, _meta: meta } };
}

/** Replaces any other message that is blocked. */
export function rejected({ id }: McpMessage, evaluation: Evaluation): McpMessage {
  const data = { event_id: evaluation.eventId };
  const message = `Blocked by the content security policy. ${reasonOf(evaluation)}`;
  return { jsonrpc: '2.0', id: id ?? null, error: { code: REJECTED_CODE, message, data } };
}

function reasonOf({ verdict, threatType }: Evaluation): string {
  const details = verdict.threats.find(({ type }) => type === threatType)?.details;
  return details ?? 'The policy does not allow it.';
}
