import type { GuardRequest } from '../../contract/index.ts';
import type { Steps } from '../../text/index.ts';
import type { Place } from './call-members.ts';
import { ownClientOf } from './own-client.ts';
import { joinReadings } from './read-block.ts';
import { readCallsIn } from './read-calls.ts';
import type { ToolCall } from './tool-call.ts';

/**
 * Returns the calls that a guard request asks about: those outside the messages, and for a response those of its last
 * message. Calls in earlier messages were already made.
 */
export function* readGuardCalls(request: GuardRequest): Steps<ToolCall[]> {
  const calls = yield* callsIn(request.context?.tool_calls, '/context/tool_calls', 'calls');
  const at = request.messages.length - 1;
  const last = request.messages[at];
  if (request.direction !== 'output' || last === undefined) return calls;
  const { tool_calls: own, ...rest } = last;
  return [
    ...calls,
    ...(yield* callsIn(own, `/messages/${at}/tool_calls`, 'calls')),
    ...(yield* callsIn(rest, `/messages/${at}`, 'elsewhere')),
  ];
}

function* callsIn(value: unknown, path: string, place: Place): Steps<ToolCall[]> {
  return (yield* readCallsIn(value, ownClientOf(''), path, place)).flatMap((one) => joinReadings(one) ?? []);
}
