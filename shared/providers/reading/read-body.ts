import { BodyError, type SlotRole } from '../../text/index.ts';
import type { BodyReading } from '../wire-format.ts';
import { NUMBER_PARAMETERS } from './numbers.ts';
import { step } from './path.ts';
import { readContent, readItem, readItems, readPart } from './read-blocks.ts';
import { readTokens } from './read-tokens.ts';
import { isMembers, MAX_SLOTS, type Members, Reading, readLeaves, type Source } from './reading.ts';
import type { Rule, Rules } from './rules.ts';

/** A member of a body, or of a stream's frame: in the role of its place, if the format's own table gives it one. */
export function readByRule(reading: Reading, rule: Rule, value: unknown, path: string): void {
  const role = roleAt(reading, rule);
  switch (rule.as) {
    case 'messages':
    case 'items':
      readMessages(reading, rule, role, value, path);
      break;
    case 'content':
      readContent(reading, value, path, role);
      break;
    case 'leaves':
      // What another format's developer would say there is read like a message.
      if (isTrusted(rule.role) && !rule.isOwn) readContent(reading, value, path, role);
      else readLeaves(reading, value, path, role, 0, rule.credentials);
      break;
    case 'body':
      if (isMembers(value)) readMembers(reading, reading.rules.response, value, path);
      else readLeaves(reading, value, path, 'other');
      break;
    case 'tokens':
      readTokens(reading, value, path, 'assistant');
      break;
    case 'identifier':
    case 'metadata':
      readLeaves(reading, value, path, rule.isOwn ? rule.as : 'other');
      break;
    case 'parameter':
      if (typeof value === 'number' && rule.isOwn) break;
      readLeaves(reading, value, path, 'other');
      break;
    case undefined:
    case 'label':
    case 'name':
      readLeaves(reading, value, path, 'other');
      break;
    default:
      readPart(reading, rule, value, path, role, 0);
  }
}

const isTrusted = (role: SlotRole | undefined): boolean => role === 'system' || role === 'tool_definition';

function readMessages(reading: Reading, rule: Rule, role: SlotRole, value: unknown, path: string): void {
  const was = reading.isForeign;
  reading.isForeign = !rule.isOwn;
  const isTyped = rule.as === 'items' && rule.isOwn;
  if (Array.isArray(value)) readItems(reading, value, path, role, isTyped);
  else if (typeof value === 'string') {
    const speaker = rule.isOwn ? (rule.textRole ?? role) : role;
    reading.open(speaker, speaker, path, 0);
    reading.text(path, speaker, value);
  } else readItem(reading, value, path, role, isTyped);
  reading.isForeign = was;
}

export function readMembers(
  reading: Reading,
  rules: ReadonlyMap<string, Rule>,
  body: Members,
  path: string,
): void {
  for (const name in body) {
    const inner = step(path, name);
    const rule = rules.get(name);
    const value = body[name];
    if (path === '') reading.open(name, roleAt(reading, rule), inner, null);
    if (rule === undefined) {
      if (!reading.rules.words.names.has(name)) reading.name(inner, 'other', name);
      if (typeof value !== 'number' || !NUMBER_PARAMETERS.has(name))
        readLeaves(reading, value, inner, 'other');
    } else if (typeof value === 'string' || typeof value === 'object' || typeof value === 'number') {
      readByRule(reading, rule, value, inner);
    }
  }
}

function roleAt(reading: Reading, rule: Rule | undefined): SlotRole {
  if (rule === undefined) return 'other';
  return rule.isOwn ? (rule.role ?? 'other') : reading.untrusted(rule.role);
}

/** A whole response. Anything but an object is read as free-form leaves. */
export function readResponse(value: unknown, rules: Rules, source: Source = () => ''): BodyReading {
  const reading = new Reading(rules);
  reading.from(source);
  if (isMembers(value)) readMembers(reading, rules.response, value, '');
  else {
    reading.open('', 'other', '', null);
    readLeaves(reading, value, '', 'other');
  }
  const { overflow } = reading;
  if (overflow !== '') {
    reading.open('overflow', 'other', '#overflow', null);
    reading.slots.push({ path: '#overflow', role: 'other', text: overflow });
  }
  return readingOf(reading, isMembers(value) ? value : {});
}

/** A whole request whose shape was checked. Throws BodyError if it holds more texts than can be told apart. */
export function readRequest(body: Members, rules: Rules, source: Source = () => ''): BodyReading {
  const reading = new Reading(rules, true);
  reading.from(source);
  readMembers(reading, rules.request, body, '');
  refuseOverflow(reading);
  return readingOf(reading, body);
}

export function refuseOverflow(reading: Reading): void {
  if (reading.overflow === '') return;
  throw new BodyError('too_many_texts', `The body holds more than ${MAX_SLOTS} separate texts.`);
}

function readingOf(reading: Reading, body: Members): BodyReading {
  return {
    messages: reading.messages(),
    slots: reading.slots,
    unscanned: reading.unscanned,
    files: reading.files,
    model: typeof body['model'] === 'string' ? body['model'] : null,
    stream: body['stream'] === true,
  };
}
