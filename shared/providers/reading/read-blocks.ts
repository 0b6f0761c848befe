import type { SlotRole } from '../../text/index.ts';
import { joinTexts, type Piece } from './join-texts.ts';
import { step } from './path.ts';
import { type MediaKind, readData, readFileId, readSealed, readUrl } from './read-media.ts';
import { readTokens } from './read-tokens.ts';
import { isMembers, type Members, type Reading, readLeaves } from './reading.ts';
import { roleOfBlock, roleOfItem, roleOfMember, roleOfMessage } from './roles.ts';
import type { Rule } from './rules.ts';

/**
 * A list of messages or items, or one of them. `role` is for those that do not say theirs; `isTyped`: their type says it.
 */
export function readItems(
  reading: Reading,
  items: readonly unknown[],
  path: string,
  role: SlotRole,
  isTyped = false,
): void {
  for (let i = 0; i < items.length; i++) {
    reading.index = i;
    readItem(reading, items[i], `${path}/${i}`, role, isTyped, true);
  }
  reading.index = 0;
}

export function readItem(
  reading: Reading,
  item: unknown,
  path: string,
  role: SlotRole,
  isTyped = false,
  /** One of a list. */
  isListed = false,
): void {
  if (!isMembers(item)) {
    if (isListed) reading.open(role, role, path, reading.index);
    readContent(reading, item, path, role);
    return;
  }
  const { rules } = reading;
  const said = item['role'];
  const type = typeOf(item);
  const own =
    typeof said === 'string'
      ? roleOfBlock(rules, type, roleOfSaid(reading, said))
      : isTyped
        ? roleOfItem(rules, type, role)
        : roleOfBlock(rules, type, role);
  reading.open(typeof said === 'string' ? said : type || role, own, path, isListed ? reading.index : null);
  readBlock(reading, item, path, type, own, true, 0);
}

/** In a response nobody speaks for the developer. */
function roleOfSaid(reading: Reading, said: string): SlotRole {
  const role = roleOfMessage(reading.rules, said, !reading.isForeign);
  if (reading.isWrittenBack) return role;
  return role === 'system' || reading.isForeign ? reading.untrusted(role) : role;
}

/** What a message, a tool's result or a system prompt holds: a string, a block, or blocks. */
export function readContent(
  reading: Reading,
  content: unknown,
  path: string,
  role: SlotRole,
  depth = 0,
): void {
  if (typeof content === 'string') reading.text(path, role, content);
  else if (typeof content === 'number') reading.number(path, role, content);
  else if (depth > MAX_BLOCK_DEPTH) readLeaves(reading, content, path, role);
  else if (Array.isArray(content)) readContents(reading, content, path, role, depth);
  else if (isMembers(content)) {
    const type = typeOf(content);
    readBlock(reading, content, path, type, roleOfBlock(reading.rules, type, role), false, depth);
  }
}

function readContents(
  reading: Reading,
  contents: readonly unknown[],
  path: string,
  role: SlotRole,
  depth: number,
): void {
  const pieces: Piece[] = [];
  for (let i = 0; i < contents.length; i++) {
    const inner = `${path}/${i}`;
    readContent(reading, contents[i], inner, role, depth + 1);
    if (contents.length === 1) return;
    const text = ownText(contents[i], inner);
    if (text !== null) pieces.push(text);
  }
  joinTexts(reading, pieces, path, role);
}

const typeOf = (block: Members): string => (typeof block['type'] === 'string' ? block['type'] : '');

function ownText(block: unknown, path: string): Piece | null {
  if (typeof block === 'string') return { path, text: block };
  if (!isMembers(block) || typeof block['text'] !== 'string' || block['text'] === '') return null;
  return { path: `${path}/text`, text: block['text'] };
}

/** Deeper blocks are read as free-form leaves. */
const MAX_BLOCK_DEPTH = 50;

/** A message, item or block: every member read in the role its place gives it. */
function readBlock(
  reading: Reading,
  block: Members,
  path: string,
  type: string,
  role: SlotRole,
  isMessage: boolean,
  depth: number,
): void {
  const { members, types, words } = reading.rules;
  const known = types.get(type);
  if (known?.media !== undefined) {
    readMedia(reading, block, path, role, depth, kindOf(known.media));
    return;
  }
  for (const name in block) {
    const value = block[name];
    const inner = step(path, name);
    const rule = known?.members?.get(name) ?? members.get(name);
    if (rule === undefined && !words.names.has(name)) reading.name(inner, role, name);
    if (typeof value === 'string') readString(reading, value, inner, rule, role, isMessage);
    else if (typeof value === 'number') reading.number(inner, roleOfMember(rule, role), value);
    else if (typeof value === 'object' && value !== null)
      readObject(reading, value, inner, rule, role, depth);
  }
}

function readString(
  reading: Reading,
  value: string,
  path: string,
  rule: Rule | undefined,
  role: SlotRole,
  isMessage: boolean,
): void {
  switch (rule?.as) {
    case 'label':
      reading.text(path, 'other', value);
      break;
    case 'identifier':
      reading.text(path, rule.isOwn ? 'identifier' : 'other', value);
      break;
    case 'name':
      reading.text(path, isMessage && role !== 'tool_call' ? 'other' : role, value);
      break;
    case 'sealed':
    case 'picture':
      readPart(reading, rule, value, path, roleOfMember(rule, role), 0);
      break;
    default:
      reading.text(path, roleOfMember(rule, role), value);
  }
}

function readObject(
  reading: Reading,
  value: object,
  path: string,
  rule: Rule | undefined,
  around: SlotRole,
  depth: number,
): void {
  const role = roleOfMember(rule, around);
  switch (rule?.as) {
    case 'content':
      readContent(reading, value, path, role, depth + 1);
      break;
    case 'messages':
    case 'items':
      readNested(reading, value, path, around);
      break;
    case 'tokens':
      readTokens(reading, value, path, around);
      break;
    case 'label':
      readLeaves(reading, value, path, 'other');
      break;
    case 'identifier':
      readLeaves(reading, value, path, rule.isOwn ? 'identifier' : 'other');
      break;
    case 'media':
    case 'file':
      readPart(reading, rule, value, path, role, depth);
      break;
    default:
      readLeaves(reading, value, path, role);
  }
}

/** A message inside of another: it speaks for whom the one around speaks for, or is data. */
function readNested(reading: Reading, item: unknown, path: string, around: SlotRole): void {
  if (!isMembers(item)) {
    readContent(reading, item, path, around);
    return;
  }
  const said = typeof item['role'] === 'string' ? roleOfSaid(reading, item['role']) : around;
  const type = typeOf(item);
  const role = roleOfBlock(reading.rules, type, said === 'tool_result' ? said : around);
  readBlock(reading, item, path, type, role, true, 0);
}

/** What stands in place of text. */
export function readPart(
  reading: Reading,
  rule: Rule,
  value: unknown,
  path: string,
  role: SlotRole,
  depth: number,
): void {
  if (typeof value === 'string') {
    if (rule.as === 'picture') readData(reading, value, path, 'image/png', 'media');
    else if (rule.as === 'sealed' && rule.isOwn) readSealed(reading, value, path, role);
    else reading.text(path, role, value);
  } else if (isMembers(value) && (rule.as === 'media' || rule.as === 'file')) {
    readMedia(reading, value, path, role, depth + 1, kindOf(rule.as));
  } else readLeaves(reading, value, path, role);
}

/** Images, audio, files, documents: nested once (`image_url`, `file`, `source`, `input_audio`) or flat. */
function readMedia(
  reading: Reading,
  media: Members,
  path: string,
  role: SlotRole,
  depth: number,
  kind: MediaKind,
): void {
  const hint = HINTS.map((name) => media[name]).find(isText) ?? '';
  const words = role === 'system' ? 'document' : role;
  const { members, words: known } = reading.rules;
  for (const name in media) {
    const value = media[name];
    const inner = step(path, name);
    const rule = members.get(name);
    if (rule === undefined && !known.names.has(name)) reading.name(inner, words, name);
    if (typeof value === 'string') {
      if (name === 'data' && media['type'] === 'text') reading.text(inner, 'document', value);
      else if (DATA.has(name)) readData(reading, value, inner, hint, kind);
      else if (name === 'file_id') readFileId(reading, value, inner, kind);
      else if (isAddress(name)) readUrl(reading, value, inner, kind);
      else if (rule?.as === 'sealed' && rule.isOwn) readSealed(reading, value, inner, words);
      else if (rule?.as === 'identifier' && rule.isOwn) reading.text(inner, 'identifier', value);
      else reading.text(inner, rule?.as === 'label' ? 'other' : words, value);
    } else if (name === 'content') readContent(reading, value, inner, 'document', depth + 1);
    else if (isMembers(value) && NESTED.has(name) && depth < MAX_BLOCK_DEPTH) {
      readMedia(reading, value, inner, role, depth + 1, kind);
    } else readLeaves(reading, value, inner, words);
  }
}

const kindOf = (media: 'media' | 'file'): MediaKind => (media === 'media' ? 'media' : 'text');

/** Members that say what the data is, those that hold it, and those that hold its address, in any provider's bodies. */
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
]);

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
