import type { SlotRole } from '../../text/index.ts';
import { roleInFamily } from './families.ts';
import { isIdentifierName } from './identifiers.ts';
import { joinTexts, type Piece } from './join-texts.ts';
import { step } from './path.ts';
import { type MediaKind, readData, readFileId, readSealed, readUrl } from './read-media.ts';
import { readTokens } from './read-tokens.ts';
import { isMembers, type Members, type Reading, readLeaves } from './reading.ts';
import {
  CALL_MEMBERS,
  CONTENT_MEMBERS,
  LABELS,
  MEDIA_TYPES,
  RESULT_MEMBERS,
  roleOfBlock,
  roleOfItem,
  roleOfMessage,
  SEALED_MEMBERS,
} from './roles.ts';
import { KNOWN_NAMES } from './vocabulary.ts';

/** A list of messages or input items, or one of them. `role` is for those that do not say theirs. */
export function readItems(reading: Reading, items: readonly unknown[], path: string, role: SlotRole): void {
  for (let i = 0; i < items.length; i++) {
    reading.index = i;
    readItem(reading, items[i], `${path}/${i}`, role);
  }
  reading.index = 0;
}

export function readItem(reading: Reading, item: unknown, path: string, role: SlotRole): void {
  if (isMembers(item)) {
    const said = item['role'];
    const type = typeOf(item);
    const own =
      typeof said === 'string' ? roleOfBlock(type, roleOfSaid(reading, said)) : roleOfItem(type, role);
    readBlock(reading, item, path, type, own, true, 0);
  } else {
    readContent(reading, item, path, role);
  }
}

function roleOfSaid({ family, isForeign }: Reading, said: string): SlotRole {
  const role = roleOfMessage(said);
  if (family === null) return role;
  return isForeign && role !== 'tool_result' ? 'user' : roleInFamily(family, said, role);
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
    readBlock(reading, content, path, type, roleOfBlock(type, role), false, depth);
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
  if (MEDIA_TYPES.has(type)) {
    readMedia(reading, block, path, role, depth, mediaKindOf(type));
    return;
  }
  for (const name in block) {
    const value = block[name];
    const inner = step(path, name);
    const isKnown = KNOWN_NAMES.has(name);
    if (!isKnown) reading.name(inner, role, name);
    if (typeof value === 'string') readString(reading, value, inner, name, type, role, isKnown, isMessage);
    else if (typeof value === 'number') reading.number(inner, roleOfMember(name, role, isKnown), value);
    else if (typeof value !== 'object' || value === null) continue;
    else if (name === 'content') readContent(reading, value, inner, role, depth + 1);
    else if (isIdentifierName(name)) readLeaves(reading, value, inner, 'identifier');
    else if (LABELS.has(name)) readLeaves(reading, value, inner, 'other');
    else if (name === 'audio') readMedia(reading, value as Members, inner, role, depth + 1, 'media');
    else if (name === 'logprobs') readTokens(reading, value, inner, role);
    else if (name === 'annotations' || name === 'citations') readLeaves(reading, value, inner, 'document');
    else if (name === 'tools' && type === 'additional_tools')
      readLeaves(reading, value, inner, 'tool_definition');
    else if (name === 'message') readItem(reading, value, inner, role);
    else if (CONTENT_MEMBERS.has(name)) {
      readContent(reading, value, inner, roleOfMember(name, role, isKnown), depth + 1);
    } else readLeaves(reading, value, inner, roleOfMember(name, role, isKnown));
  }
}

function readString(
  reading: Reading,
  value: string,
  path: string,
  name: string,
  type: string,
  role: SlotRole,
  isKnown: boolean,
  isMessage: boolean,
): void {
  if (name === 'content' || name === 'text') reading.text(path, role, value);
  else if (isIdentifierName(name)) reading.text(path, 'identifier', value);
  else if (LABELS.has(name)) reading.text(path, 'other', value);
  else if (name === 'name') reading.text(path, isMessage && role !== 'tool_call' ? 'other' : role, value);
  else if (SEALED_MEMBERS.has(name) || (name === 'data' && type === 'redacted_thinking')) {
    readSealed(reading, value, path, role);
  } else if (name === 'result' && type === 'image_generation_call') {
    readData(reading, value, path, 'image/png', 'media');
  } else reading.text(path, roleOfMember(name, role, isKnown), value);
}

function roleOfMember(name: string, role: SlotRole, isKnown: boolean): SlotRole {
  if (CALL_MEMBERS.has(name)) return 'tool_call';
  if (role === 'tool_call' && RESULT_MEMBERS.has(name)) return 'tool_result';
  // A member nobody knows must not borrow the developer's trust.
  return role === 'system' && !isKnown ? 'other' : role;
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
  const hint = [media['media_type'], media['filename'], media['format'], media['title']].find(isText) ?? '';
  const words = role === 'system' ? 'document' : role;
  for (const name in media) {
    const value = media[name];
    const inner = step(path, name);
    if (!KNOWN_NAMES.has(name)) reading.name(inner, words, name);
    if (typeof value === 'string') {
      if (name === 'data' && media['type'] === 'text') reading.text(inner, 'document', value);
      else if (name === 'data' || name === 'file_data') readData(reading, value, inner, hint, kind);
      else if (name === 'file_id') readFileId(reading, value, inner, kind);
      else if (name === 'url' || name.endsWith('_url')) readUrl(reading, value, inner, kind);
      else if (SEALED_MEMBERS.has(name)) readSealed(reading, value, inner, words);
      else if (isIdentifierName(name)) reading.text(inner, 'identifier', value);
      else reading.text(inner, LABELS.has(name) ? 'other' : words, value);
    } else if (name === 'content') readContent(reading, value, inner, 'document', depth + 1);
    else if (isMembers(value) && MEDIA_MEMBERS.has(name) && depth < MAX_BLOCK_DEPTH) {
      readMedia(reading, value, inner, role, depth + 1, kind);
    } else readLeaves(reading, value, inner, words);
  }
}

/** `image`, `input_image`, `image_url`, `computer_screenshot` and their like against `file`, `document`. */
const mediaKindOf = (type: string): MediaKind =>
  /image|audio|video|screenshot/.test(type) ? 'media' : 'text';

const MEDIA_MEMBERS: ReadonlySet<string> = new Set([
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
