import { BodyError, type SlotRole, type Steps } from '../../text/index.ts';
import type { ExtractedBody, Source } from '../wire-format.ts';
import { isParameter } from './numbers.ts';
import { childPointer } from './path.ts';
import { readContent, readItem, readItems, readPart } from './read-blocks.ts';
import { readTokens } from './read-tokens.ts';
import type { Rule, Rules } from './rules.ts';
import { isJsonObject, type JsonObject, MAX_SLOTS, readLeaves, TextCollector } from './text-collector.ts';

/** Reads a member of a body or of a stream's frame, in the role that the format's own table gives its position. */
export function* readByRule(collector: TextCollector, rule: Rule, value: unknown, path: string): Steps<void> {
  const role = roleAt(collector, rule);
  switch (rule.as) {
    case 'messages':
    case 'items':
      yield* readMessages(collector, rule, role, value, path);
      break;
    case 'content':
      yield* readContent(collector, value, path, role);
      break;
    case 'leaves':
      // A developer's text by another format's table is read like a message.
      if (isTrusted(rule.role) && !rule.isOwn) yield* readContent(collector, value, path, role);
      else yield* readLeaves(collector, value, path, role, 0, rule.credentials);
      break;
    case 'body':
      if (isJsonObject(value)) yield* readMembers(collector, collector.rules.response, value, path);
      else yield* readLeaves(collector, value, path, 'other');
      break;
    case 'tokens':
      yield* readTokens(collector, value, path, 'assistant');
      break;
    case 'identifier':
    case 'metadata':
      yield* readLeaves(collector, value, path, rule.isOwn ? rule.as : 'other');
      break;
    case 'parameter':
      if (typeof value === 'number' && rule.isOwn) break;
      yield* readLeaves(collector, value, path, 'other');
      break;
    case undefined:
    case 'label':
    case 'name':
      yield* readLeaves(collector, value, path, 'other');
      break;
    default:
      yield* readPart(collector, rule, value, path, role, 0);
  }
}

const isTrusted = (role: SlotRole | undefined): boolean => role === 'system' || role === 'tool_definition';

function* readMessages(
  collector: TextCollector,
  rule: Rule,
  role: SlotRole,
  value: unknown,
  path: string,
): Steps<void> {
  const was = collector.isForeign;
  collector.isForeign = !rule.isOwn;
  const isTyped = rule.as === 'items' && rule.isOwn;
  if (Array.isArray(value)) yield* readItems(collector, value, path, role, isTyped);
  else if (typeof value === 'string') {
    const speaker = rule.isOwn ? (rule.textRole ?? role) : collector.untrusted(rule.textRole ?? rule.role);
    collector.open(speaker, speaker, path, 0);
    yield* collector.text(path, speaker, value);
  } else yield* readItem(collector, value, path, role, isTyped);
  collector.isForeign = was;
}

function* readMembers(
  collector: TextCollector,
  rules: ReadonlyMap<string, Rule>,
  body: JsonObject,
  path: string,
): Steps<void> {
  for (const name in body) {
    const inner = childPointer(path, name);
    const rule = rules.get(name);
    const value = body[name];
    if (path === '') collector.open(name, roleAt(collector, rule), inner, null);
    if (rule === undefined) {
      if (!collector.rules.words.names.has(name)) collector.name(inner, 'other', name);
      if (typeof value !== 'number' || !isParameter(name, value))
        yield* readLeaves(collector, value, inner, 'other');
    } else if (typeof value === 'string' || typeof value === 'object' || typeof value === 'number') {
      yield* readByRule(collector, rule, value, inner);
    }
  }
}

function roleAt(collector: TextCollector, rule: Rule | undefined): SlotRole {
  if (rule === undefined) return 'other';
  return rule.isOwn ? (rule.role ?? 'other') : collector.untrusted(rule.role);
}

/** Reads a whole response. Anything but an object is read as free-form leaves. */
export function* readResponse(value: unknown, rules: Rules, source: Source = () => ''): Steps<ExtractedBody> {
  const collector = new TextCollector(rules);
  collector.from(source);
  yield* collectResponse(collector, value);
  return extractedOf(collector, isJsonObject(value) ? value : {});
}

/** Some providers send a stream as a list of its frames. */
export function* readThoughts(value: unknown, rules: Rules): Steps<readonly string[]> {
  const collector = new TextCollector(rules);
  if (!Array.isArray(value)) yield* collectResponse(collector, value);
  else
    for (const [i, frame] of value.entries()) {
      if (isJsonObject(frame)) yield* readMembers(collector, rules.response, frame, `/${i}`);
    }
  return collector.thoughts;
}

function* collectResponse(collector: TextCollector, value: unknown): Steps<void> {
  if (isJsonObject(value)) yield* readMembers(collector, collector.rules.response, value, '');
  else {
    collector.open('', 'other', '', null);
    yield* readLeaves(collector, value, '', 'other');
  }
}

/** Reads a whole request of checked shape. Throws BodyError for too many texts. */
export function* readRequest(
  body: JsonObject,
  rules: Rules,
  source: Source = () => '',
): Steps<ExtractedBody> {
  const collector = new TextCollector(rules, true);
  collector.from(source);
  yield* readMembers(collector, rules.request, body, '');
  rejectOverflow(collector);
  return extractedOf(collector, body);
}

export function rejectOverflow(collector: TextCollector): void {
  if (collector.overflow === '') return;
  throw new BodyError('too_many_texts', `The body holds more than ${MAX_SLOTS} separate texts.`);
}

function extractedOf(collector: TextCollector, body: JsonObject): ExtractedBody {
  return {
    ...collector.conversation('other'),
    unscanned: collector.unscanned,
    files: collector.files,
    signed: collector.signed,
    model: typeof body['model'] === 'string' ? body['model'] : null,
    stream: body['stream'] === true,
  };
}
