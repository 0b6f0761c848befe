import { finish, parseEveryMember } from '../../text/index.ts';
import { isJsonObject } from '../reading/text-collector.ts';
import { callFrames, frameTexts } from './read-stream-calls.ts';

/** True if one event begins or contains a call. */
export function beginsCall(event: string): boolean {
  return callFrames(event).length > 0;
}

/** Positions of the calls that begin and end with one event. */
export interface CallEdges {
  readonly begun: readonly string[];
  readonly ended: readonly string[];
}

/** Messages report the end of each block, Responses of each item. A call in any other event ends with the response. */
export function readCallEdges(event: string): CallEdges {
  const begun: string[] = [];
  const ended: string[] = [];
  const calls = new Set(callFrames(event).map(({ data }) => data));
  for (const { data: text } of finish(frameTexts(event, 'events'))) {
    const frame = parsed(text);
    const type = String(frame?.['type']);
    const place = String(frame?.['index'] ?? frame?.['contentBlockIndex'] ?? frame?.['output_index']);
    if (calls.has(text)) begun.push(ENDS.has(type) || BEGINS.has(type) ? place : 'response');
    if (ENDS.has(type)) ended.push(place);
  }
  return { begun, ended };
}

/** The end of a call is only known if every reader sees the same event. */
function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const { value, repeated } = parseEveryMember(text);
    return repeated === null && isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

const BEGINS: ReadonlySet<string> = new Set([
  'content_block_start',
  'contentBlockStart',
  'response.output_item.added',
]);
const ENDS: ReadonlySet<string> = new Set([
  'content_block_stop',
  'contentBlockStop',
  'response.output_item.done',
]);
