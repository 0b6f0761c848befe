import { BodyFault, type SlotRole } from '../../text/index.ts';
import type { BodyReading } from '../dialect.ts';
import { type Family, isConversation, isDeveloperMember } from './families.ts';
import { isIdentifierName, METADATA_NAMES } from './identifiers.ts';
import { NUMBER_PARAMETERS } from './numbers.ts';
import { step } from './path.ts';
import { readContent, readItem, readItems } from './read-blocks.ts';
import { readTokens } from './read-tokens.ts';
import { isMembers, MAX_SLOTS, type Members, Reading, readLeaves, type Source } from './reading.ts';
import { KNOWN_NAMES } from './vocabulary.ts';

/**
 * How the members at the top of any vendor's request or answer are read. One table for all three families; a body
 * that carries another family's members, as compatible vendors' do, has them read, but not as the developer's.
 */
const MEMBERS: Readonly<
  Record<string, { readonly as: 'items' | 'item' | 'content' | 'leaves'; readonly role: SlotRole }>
> = {
  messages: { as: 'items', role: 'user' },
  input: { as: 'items', role: 'tool_result' },
  output: { as: 'items', role: 'assistant' },
  choices: { as: 'items', role: 'assistant' },
  message: { as: 'item', role: 'assistant' },
  item: { as: 'item', role: 'assistant' },
  part: { as: 'item', role: 'assistant' },
  content: { as: 'content', role: 'assistant' },
  content_block: { as: 'content', role: 'assistant' },
  output_text: { as: 'content', role: 'assistant' },
  completion: { as: 'content', role: 'assistant' },
  system: { as: 'content', role: 'system' },
  instructions: { as: 'content', role: 'system' },
  prediction: { as: 'content', role: 'user' },
  prompt: { as: 'leaves', role: 'user' },
  annotation: { as: 'leaves', role: 'document' },
  tools: { as: 'leaves', role: 'tool_definition' },
  mcp_servers: { as: 'leaves', role: 'tool_definition' },
  functions: { as: 'leaves', role: 'tool_definition' },
  response_format: { as: 'leaves', role: 'tool_definition' },
  text: { as: 'leaves', role: 'tool_definition' },
};
const MEMBER_NAMES = new Map(Object.entries(MEMBERS));

export function readMember(reading: Reading, name: string, value: unknown, path: string): void {
  const how = MEMBER_NAMES.get(name);
  const { family } = reading;
  if (how !== undefined && family !== null && isForeignDeveloper(how.role, family, name)) {
    readContent(reading, value, path, reading.isWrittenBack ? 'user' : 'assistant');
  } else if (how === undefined) {
    if (name === 'logprobs') readTokens(reading, value, path, 'assistant');
    else if (name === 'response' && isMembers(value)) readMembers(reading, value, path);
    else if (isIdentifierName(name)) readLeaves(reading, value, path, 'identifier');
    else if (METADATA_NAMES.has(name)) readLeaves(reading, value, path, 'metadata');
    else readLeaves(reading, value, path, 'other');
  } else if (how.as === 'leaves') readLeaves(reading, value, path, how.role);
  else if (how.as === 'content') readContent(reading, value, path, how.role);
  else if (Array.isArray(value)) {
    reading.isForeign =
      family !== null && (name === 'messages' || name === 'input') && !isConversation(family, name);
    readItems(reading, value, path, how.role);
    reading.isForeign = false;
  }
  // A bare string where input items could stand is a person's.
  else readItem(reading, value, path, name === 'input' && typeof value === 'string' ? 'user' : how.role);
}

function isForeignDeveloper(role: SlotRole, family: Family, name: string): boolean {
  return (role === 'system' || role === 'tool_definition') && !isDeveloperMember(family, name);
}

export function readMembers(reading: Reading, body: Members, path: string): void {
  for (const name in body) {
    const inner = step(path, name);
    if (!KNOWN_NAMES.has(name)) reading.name(inner, 'other', name);
    const value = body[name];
    if (typeof value === 'string' || typeof value === 'object') readMember(reading, name, value, inner);
    else if (typeof value === 'number' && !NUMBER_PARAMETERS.has(name))
      readMember(reading, name, value, inner);
  }
}

/** A whole answer. Anything but an object is read as free-form leaves. */
export function readAnswer(value: unknown, family: Family, source: Source = () => ''): BodyReading {
  const reading = new Reading(false, family);
  reading.from(source);
  if (isMembers(value)) readMembers(reading, value, '');
  else readLeaves(reading, value, '', 'other');
  const { overflow } = reading;
  if (overflow !== '') reading.slots.push({ path: '#overflow', role: 'other', text: overflow });
  return readingOf(reading, isMembers(value) ? value : {});
}

/** A whole request whose shape was checked. Throws BodyFault where it holds more texts than can be told apart. */
export function readRequest(body: Members, family: Family, source: Source = () => ''): BodyReading {
  const reading = new Reading(true, family);
  reading.from(source);
  readMembers(reading, body, '');
  refuseOverflow(reading);
  return readingOf(reading, body);
}

export function refuseOverflow(reading: Reading): void {
  if (reading.overflow === '') return;
  throw new BodyFault('too_many_texts', `The body holds more than ${MAX_SLOTS} separate texts.`);
}

function readingOf(reading: Reading, body: Members): BodyReading {
  return {
    slots: reading.slots,
    unscanned: reading.unscanned,
    files: reading.files,
    model: typeof body['model'] === 'string' ? body['model'] : null,
    stream: body['stream'] === true,
  };
}
