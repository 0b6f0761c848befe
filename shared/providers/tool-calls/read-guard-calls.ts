import type { GuardRequest } from '../../contract/index.ts';
import { isJsonObject, type JsonObject } from '../reading/text-collector.ts';
import { callIn, readToolCalls } from './read-calls.ts';
import { type ToolCall, toToolCall } from './tool-call.ts';

/**
 * Returns the calls that a guard request asks about: those outside the messages, and for a response those of its last
 * message. Calls in earlier messages were already made.
 */
export function readGuardCalls(request: GuardRequest): ToolCall[] {
  const calls = listed(request.context?.tool_calls, '/context/tool_calls');
  const at = request.messages.length - 1;
  const last = request.messages[at];
  if (request.direction !== 'output' || last === undefined) return calls;
  const { tool_calls: own, ...rest } = last;
  const inContent = readToolCalls(rest).map((call) => ({ ...call, path: `/messages/${at}${call.path}` }));
  return [...calls, ...listed(own, `/messages/${at}/tool_calls`), ...inContent];
}

/** The position makes it a call, whatever its type. */
function listed(calls: readonly unknown[] | undefined, path: string): ToolCall[] {
  return (calls ?? []).flatMap((call, index) => {
    if (!isJsonObject(call)) return [];
    const place = `${path}/${index}`;
    const type = typeof call['type'] === 'string' ? call['type'] : '';
    return callIn(call, type, place) ?? bare(call, place) ?? [];
  });
}

/** Reads `{name, args}`. */
function bare(call: JsonObject, path: string): ToolCall | null {
  const { name } = call;
  if (typeof name !== 'string') return null;
  return toToolCall(path, call['id'], name, call['args'] ?? call['arguments'] ?? call['input']);
}
