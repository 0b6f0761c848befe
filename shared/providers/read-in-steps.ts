import type { Steps, StrictJson } from '../text/index.ts';
import type { ToolCall } from './tool-calls/tool-call.ts';
import type { ExtractedBody, WireFormat } from './wire-format.ts';

/** Reads the texts and then the tool calls of a response. */
export function* readResponseInSteps(
  format: WireFormat,
  { value, source }: StrictJson,
): Steps<ExtractedBody & { readonly calls: readonly ToolCall[] }> {
  const read = format.readResponse(value, () => source);
  yield;
  return { ...read, calls: format.readCalls(value, () => source) };
}
