import type { SlotRole, Steps } from '../../text/index.ts';
import { joinTexts, type Piece } from './join-texts.ts';
import { childPointer } from './path.ts';
import { type MediaKind, readData, readEncrypted, readFileId, readUrl } from './read-media.ts';
import { readTokens } from './read-tokens.ts';
import { roleOfBlock, roleOfItem, roleOfMember, roleOfMessage } from './roles.ts';
import type { Rule } from './rules.ts';
import { isJsonObject, type JsonObject, readLeaves, type TextCollector } from './text-collector.ts';

/** Reads a list of messages or items, or one. `role` is the default role; `isTyped`: their type can determine it. */
export function* readItems(
  collector: TextCollector,
  items: readonly unknown[],
  path: string,
  role: SlotRole,
  isTyped = false,
): Steps<void> {
  for (let i = 0; i < items.length; i++) {
    collector.index = i;
    yield* readItem(collector, items[i], `${path}/${i}`, role, isTyped, true);
  }
  collector.index = 0;
}

export function* readItem(
  collector: TextCollector,
  item: unknown,
  path: string,
  role: SlotRole,
  isTyped = false,
  /** True for an item of a list. */
  isListed = false,
): Steps<void> {
  if (!isJsonObject(item)) {
    if (isListed) collector.open(role, role, path, collector.index);
    yield* readContent(collector, item, path, role);
    return;
  }
  const { rules } = collector;
  const speaker = item['role'];
  const type = typeOf(item);
  const own =
    typeof speaker === 'string'
      ? roleOfBlock(rules, type, roleOfName(collector, speaker))
      : isTyped
        ? roleOfItem(rules, type, role)
        : roleOfBlock(rules, type, role);
  collector.open(
    typeof speaker === 'string' ? speaker : type || role,
    own,
    path,
    isListed ? collector.index : null,
  );
  yield* readBlock(collector, item, path, type, own, true, 0);
}

/** A response contains no text of the developer. */
function roleOfName(collector: TextCollector, speaker: string): SlotRole {
  const role = roleOfMessage(collector.rules, speaker, !collector.isForeign);
  if (collector.isWrittenBack) return role;
  return role === 'system' || collector.isForeign ? collector.untrusted(role) : role;
}

/** Reads the content of a message, tool result or system prompt: a string, a block, or blocks. */
export function* readContent(
  collector: TextCollector,
  content: unknown,
  path: string,
  role: SlotRole,
  depth = 0,
): Steps<void> {
  if (typeof content === 'string') yield* collector.text(path, role, content);
  else if (typeof content === 'number') collector.number(path, role, content);
  else if (depth > MAX_BLOCK_DEPTH) yield* readLeaves(collector, content, path, role);
  else if (Array.isArray(content)) yield* readContents(collector, content, path, role, depth);
  else if (isJsonObject(content)) {
    const type = typeOf(content);
    yield* readBlock(collector, content, path, type, roleOfBlock(collector.rules, type, role), false, depth);
  }
}

function* readContents(
  collector: TextCollector,
  contents: readonly unknown[],
  path: string,
  role: SlotRole,
  depth: number,
): Steps<void> {
  const pieces: Piece[] = [];
  for (let i = 0; i < contents.length; i++) {
    const inner = `${path}/${i}`;
    yield* readContent(collector, contents[i], inner, role, depth + 1);
    if (contents.length === 1) return;
    const text = ownText(contents[i], inner);
    if (text !== null) pieces.push(text);
  }
  yield* joinTexts(collector, pieces, path, role);
}

const typeOf = (block: JsonObject): string => (typeof block['type'] === 'string' ? block['type'] : '');

function ownText(block: unknown, path: string): Piece | null {
  if (typeof block === 'string') return { path, text: block };
  if (!isJsonObject(block) || typeof block['text'] !== 'string' || block['text'] === '') return null;
  return { path: `${path}/text`, text: block['text'] };
}

/** Deeper blocks are read as free-form leaves. */
const MAX_BLOCK_DEPTH = 50;

/** Reads a message, item or block: every member in the role of its position. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: runs for every member of every message
function* readBlock(
  collector: TextCollector,
  block: JsonObject,
  path: string,
  type: string,
  role: SlotRole,
  isMessage: boolean,
  depth: number,
): Steps<void> {
  const { members, types, words } = collector.rules;
  const known = types.get(type);
  const around = collector.enter(block, path, role, isMessage);
  if (known?.media !== undefined) {
    yield* readMedia(collector, block, path, role, depth, kindOf(known.media));
    collector.leave(around);
    return;
  }
  for (const name in block) {
    const value = block[name];
    const rule = known?.members?.get(name) ?? members.get(name);
    // Mostly roles and types: they are not read, so their path is not needed.
    if (rule?.as === 'label' && typeof value === 'string' && collector.isKnownValue(value)) continue;
    const inner = childPointer(path, name);
    if (rule === undefined && !words.names.has(name)) collector.name(inner, role, name);
    else if (rule?.isThought === true && !collector.isWrittenBack) collector.thoughts.push(inner);
    if (typeof value === 'string') yield* readString(collector, value, inner, rule, role, isMessage);
    else if (typeof value === 'number') collector.number(inner, roleOfMember(rule, role), value);
    else if (typeof value === 'object' && value !== null)
      yield* readObject(collector, value, inner, rule, role, depth);
  }
  collector.leave(around);
}

function* readString(
  collector: TextCollector,
  value: string,
  path: string,
  rule: Rule | undefined,
  role: SlotRole,
  isMessage: boolean,
): Steps<void> {
  switch (rule?.as) {
    case 'label':
      yield* collector.text(path, 'other', value);
      break;
    case 'identifier':
      yield* collector.text(path, rule.isOwn ? 'identifier' : 'other', value);
      break;
    case 'name':
      yield* collector.text(path, isMessage && role !== 'tool_call' ? 'other' : role, value);
      break;
    case 'figures':
    case 'sealed':
    case 'picture':
      yield* readPart(collector, rule, value, path, roleOfMember(rule, role), 0);
      break;
    default:
      yield* collector.text(path, roleOfMember(rule, role), value);
  }
}

function* readObject(
  collector: TextCollector,
  value: object,
  path: string,
  rule: Rule | undefined,
  around: SlotRole,
  depth: number,
): Steps<void> {
  const role = roleOfMember(rule, around);
  switch (rule?.as) {
    case 'content':
      yield* readContent(collector, value, path, role, depth + 1);
      break;
    case 'messages':
    case 'items':
      yield* readNested(collector, value, path, around);
      break;
    case 'tokens':
      yield* readTokens(collector, value, path, around);
      break;
    case 'label':
      yield* readLeaves(collector, value, path, 'other');
      break;
    case 'identifier':
      yield* readLeaves(collector, value, path, rule.isOwn ? 'identifier' : 'other');
      break;
    case 'figures':
    case 'media':
    case 'file':
      yield* readPart(collector, rule, value, path, role, depth);
      break;
    default:
      yield* readLeaves(collector, value, path, role);
  }
}

/** Reads a message inside another one: it has the role of the outer one, or is data. */
function* readNested(collector: TextCollector, item: unknown, path: string, around: SlotRole): Steps<void> {
  if (!isJsonObject(item)) {
    yield* readContent(collector, item, path, around);
    return;
  }
  const speaker = typeof item['role'] === 'string' ? roleOfName(collector, item['role']) : around;
  const type = typeOf(item);
  const role = roleOfBlock(collector.rules, type, speaker === 'tool_result' ? speaker : around);
  yield* readBlock(collector, item, path, type, role, true, 0);
}

/** Reads a part that is not text. */
export function* readPart(
  collector: TextCollector,
  rule: Rule,
  value: unknown,
  path: string,
  role: SlotRole,
  depth: number,
): Steps<void> {
  if (typeof value === 'string') {
    if (rule.as === 'picture') yield* readData(collector, value, path, 'image/png', 'media');
    else if ((rule.as === 'sealed' || rule.as === 'figures') && rule.isOwn)
      yield* readEncrypted(collector, value, path, role);
    else yield* collector.text(path, role, value);
  } else if (rule.as === 'figures' && rule.isOwn) {
    yield* readLeaves(collector, withoutFractions(value), path, role);
  } else if (isJsonObject(value) && (rule.as === 'media' || rule.as === 'file')) {
    yield* readMedia(collector, value, path, role, depth + 1, kindOf(rule.as));
  } else yield* readLeaves(collector, value, path, role);
}

/** Removes fractions; all other values keep their position. */
function withoutFractions(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? value : 0;
  if (Array.isArray(value)) return value.every(isFraction) ? [] : value.map(withoutFractions);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutFractions(member)]));
}

const isFraction = (value: unknown): boolean => typeof value === 'number' && !Number.isInteger(value);

/** Reads images, audio, files and documents: nested once (`image_url`, `file`, `source`, `input_audio`) or flat. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the members of media in the names of all providers
function* readMedia(
  collector: TextCollector,
  media: JsonObject,
  path: string,
  role: SlotRole,
  depth: number,
  kind: MediaKind,
): Steps<void> {
  const hint = HINTS.map((name) => media[name]).find(isText) ?? '';
  const words = role === 'system' ? 'document' : role;
  const { members, words: known } = collector.rules;
  for (const name in media) {
    const value = media[name];
    const inner = childPointer(path, name);
    const rule = members.get(name);
    if (rule === undefined && !known.names.has(name)) collector.name(inner, words, name);
    if (typeof value === 'string') {
      if (name === 'data' && media['type'] === 'text') yield* collector.text(inner, 'document', value);
      else if (!(yield* readMediaData(collector, name, value, inner, hint, kind)))
        yield* readMediaText(collector, value, inner, rule, words);
    } else if (name === 'content') yield* readContent(collector, value, inner, 'document', depth + 1);
    else if (isJsonObject(value) && NESTED.has(name) && depth < MAX_BLOCK_DEPTH) {
      yield* readMedia(collector, value, inner, role, depth + 1, kind);
    } else yield* readLeaves(collector, value, inner, words);
  }
}

/** Reads a medium's data or its address; false: neither. */
function* readMediaData(
  collector: TextCollector,
  name: string,
  value: string,
  path: string,
  hint: string,
  kind: MediaKind,
): Steps<boolean> {
  if (DATA.has(name)) yield* readData(collector, value, path, hint, kind);
  else if (name === 'file_id') yield* readFileId(collector, value, path, kind);
  else if (isAddress(name)) yield* readUrl(collector, value, path, kind);
  else return false;
  return true;
}

/** Reads the texts of a medium other than its data and address. */
function* readMediaText(
  collector: TextCollector,
  value: string,
  path: string,
  rule: Rule | undefined,
  role: SlotRole,
): Steps<void> {
  if (rule?.as === 'sealed' && rule.isOwn) yield* readEncrypted(collector, value, path, role);
  else if (rule?.as === 'identifier' && rule.isOwn) yield* collector.text(path, 'identifier', value);
  else yield* collector.text(path, rule?.as === 'label' ? 'other' : role, value);
}

const kindOf = (media: 'media' | 'file'): MediaKind => (media === 'media' ? 'media' : 'text');

/** Members with the type of the data, with the data, and with its address, in any provider's bodies. */
const HINTS = ['media_type', 'mime_type', 'mimeType', 'filename', 'format', 'title'] as const;
const DATA: ReadonlySet<string> = new Set(['data', 'file_data', 'bytes']);
const isAddress = (name: string): boolean =>
  name === 'url' || name.endsWith('_url') || name === 'uri' || name === 'fileUri' || name === 'file_uri';
const NESTED: ReadonlySet<string> = new Set([
  'image_url',
  'audio_url',
  'video_url',
  'input_audio',
  'file',
  'source',
  'audio',
  'image',
  'video',
  'document',
  's3Location',
]);

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
