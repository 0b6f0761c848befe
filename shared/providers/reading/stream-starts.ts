import { isMembers, type Members } from './reading.ts';
import { copyOf, type Strand, type Stream, strandOf } from './stream-strands.ts';

/**
 * Clients append deltas to what an opening event already said: a text that is cut between the two is one to them, so
 * it begins the strand here, too. What the openings hold is read as a whole besides.
 */
export function beginMessage(stream: Stream, message: unknown): void {
  const content = isMembers(message) ? message['content'] : undefined;
  stream.blocks = 0;
  if (!Array.isArray(content)) return;
  for (const [index, block] of content.entries()) openBlock(stream, index, block);
}

/**
 * A content block of the messages family. Deltas find it by its index, or by how many were opened before it: clients
 * do one or the other, so where both are not the same the text is read both ways.
 */
export function openBlock(stream: Stream, index: number, block: unknown): void {
  const content = strandOf(stream.root, 'content', 'assistant');
  if (index !== stream.blocks) stream.byIndex ??= copyOf(content);
  if (stream.byIndex !== null) beginBlock(stream.byIndex, index, block);
  beginBlock(content, stream.blocks++, block);
}

function beginBlock(content: Strand, index: number, block: unknown): void {
  if (!isMembers(block)) return;
  const strand = strandOf(content, index, 'assistant');
  for (const name of ['text', 'thinking'] as const) append(strandOf(strand, name, 'assistant'), block[name]);
}

/** Types of the responses family's items and parts -> the member that deltas add to, and the event they come in. */
const GROWING: Readonly<Record<string, readonly [member: string, event: string]>> = {
  output_text: ['text', 'output_text'],
  refusal: ['refusal', 'refusal'],
  reasoning_text: ['text', 'reasoning_text'],
  summary_text: ['text', 'reasoning_summary_text'],
  function_call: ['arguments', 'function_call_arguments'],
  mcp_call: ['arguments', 'mcp_call_arguments'],
  custom_tool_call: ['input', 'custom_tool_call_input'],
  code_interpreter_call: ['code', 'code_interpreter_call_code'],
};

/** `response.created`, with items that are there before the first event adds one. */
export function beginResponse(stream: Stream, response: unknown): void {
  const output = isMembers(response) ? response['output'] : undefined;
  if (!Array.isArray(output)) return;
  for (const [index, item] of output.entries()) beginItem(stream, [index], item);
}

/** An item or one of its parts; `places` are the indices that its deltas will name. */
export function beginItem(stream: Stream, places: readonly number[], item: unknown): void {
  if (!isMembers(item)) return;
  const growing = GROWING[String(item['type'])];
  if (growing !== undefined) {
    const [member, event] = growing;
    const role = /arguments|input|code/.test(member) ? 'tool_call' : 'assistant';
    const first = strandOf(stream.root, `response.${event}.delta`, role);
    append(
      places.reduce<Strand>((strand, place) => strandOf(strand, place, role), first),
      item[member],
    );
  }
  for (const name of ['content', 'summary'] as const) {
    const parts = item[name];
    if (!Array.isArray(parts) || places.length > 1) continue;
    for (const [index, part] of parts.entries()) beginItem(stream, [...places, index], part);
  }
}

/** The indices that an opening event names, in the order in which deltas are told apart. */
export function placesIn(frame: Members): number[] {
  return PLACES.map((name) => frame[name]).filter((index) => typeof index === 'number');
}

const PLACES = ['output_index', 'content_index', 'summary_index', 'command_index'] as const;

function append(strand: Strand, text: unknown): void {
  if (typeof text === 'string') strand.text += text;
}
