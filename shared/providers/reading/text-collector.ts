import type { UnscannedReason } from '../../contract/index.ts';
import {
  type Conversation,
  conversationOf,
  jsonScalars,
  type Message,
  originOf,
  type SlotPart,
  type SlotRole,
  type TextSlot,
} from '../../text/index.ts';
import type { EncodedFile, Source, UnreadContent, UnreadPart } from '../wire-format.ts';
import type { FileMark } from './file-marks.ts';
import { isIdentifier } from './identifiers.ts';
import { hasLongNumber, inexactNumbers, isShortNumber, longNumberText, plainDecimal } from './numbers.ts';
import { childPointer } from './path.ts';
import type { Rules, Words } from './rules.ts';

/** More than any conversation needs; bounds what a body of millions of tiny strings costs. */
export const MAX_SLOTS = 200_000;
/** Of each kind, so that pictures and sealed parts never crowd out a document. */
const MAX_UNSCANNED = 1_000;
/** Fewer, so that the notice of further ones has its place. */
const MAX_FILES = MAX_UNSCANNED - 1;

const FILE_NAMES: Readonly<Record<FileMark, string>> = {
  pdf: 'a PDF',
  zip: 'an Office file or archive',
  gzip: 'a compressed file',
  ole: 'an Office file of before 2007, or a locked one',
};

/** Where readers put what they find. One per body. */
export class TextCollector {
  readonly slots: TextSlot[] = [];
  private readonly messages: Message[] = [];
  readonly unscanned: UnreadPart[] = [];
  readonly files: EncodedFile[] = [];
  private hasMoreFiles = false;
  /** Of the message or item being read; goes into `unscanned`. */
  index = 0;
  /** Texts past MAX_SLOTS; requests that have any are refused. */
  overflow = '';
  /** True for bodies that redactions are written into: every text then has its place. */
  readonly isWrittenBack: boolean;
  readonly rules: Rules;
  private readonly words: Words;
  /** Of the message being read; null until its first text. */
  private current: TextSlot[] | null = null;
  private isOpen = false;
  private openRole = '';
  private openSpeaker: SlotRole = 'other';
  private openPath = '';
  private openIndex: number | null = null;
  private readonly noted = new Map<UnreadContent, number>();
  private source: Source = () => '';
  private literals: ReadonlyMap<string, string> | null = null;
  /** True inside the conversation of another format, where no message is trusted for its role. */
  isForeign = false;

  constructor(rules: Rules, isWrittenBack = false) {
    this.isWrittenBack = isWrittenBack;
    this.rules = rules;
    this.words = rules.words;
  }

  /** An exact word of a provider's, which can hold no attack and no secret. */
  isKnownValue(text: string): boolean {
    return text.length <= this.words.maxValueLength && this.words.values.has(text);
  }

  /** The role of a member of another format: data stays data, all else is the sender's. */
  untrusted(role: SlotRole | undefined): SlotRole {
    if (role === 'tool_result' || role === 'document' || role === 'other') return role;
    return this.isWrittenBack ? 'user' : 'assistant';
  }

  /** From here on the texts are this message's. One without texts is no message. */
  open(role: string, speaker: SlotRole, path: string, index: number | null): void {
    this.current = null;
    this.isOpen = true;
    this.openRole = role;
    this.openSpeaker = speaker;
    this.openPath = path;
    this.openIndex = index;
  }

  /** Everything that was read. If no message was opened, it is one message by `speaker`. */
  conversation(speaker: SlotRole): Conversation {
    if (this.overflow !== '' && !this.isWrittenBack) {
      this.open('overflow', speaker, '#overflow', null);
      this.push({ path: '#overflow', role: speaker, text: this.overflow });
    }
    return this.isOpen ? { messages: this.messages, slots: this.slots } : conversationOf(this.slots, speaker);
  }

  private push(slot: TextSlot): void {
    this.slots.push(slot);
    if (this.current !== null) this.current.push(slot);
    else if (this.isOpen) this.begin(slot);
  }

  private begin(slot: TextSlot): void {
    this.current = [slot];
    this.messages.push({
      role: this.openRole,
      origin: originOf(this.openSpeaker),
      position: { path: this.openPath, index: this.openIndex },
      slots: this.current,
    });
  }

  /** In the role of an identifier only what has the form of one is one. */
  text(path: string, role: SlotRole, text: string): void {
    if (text === '' || this.isKnownValue(text)) return;
    const own = role === 'identifier' && !isIdentifier(text) ? 'other' : role;
    this.add({ path, role: own, text });
    const first = text.charCodeAt(0);
    if (first === 123 || first === 91 || first <= 32) this.innerJson(path, own, text, 1);
  }

  /** A number of seven digits or more is read as text. */
  number(path: string, role: SlotRole, value: number): void {
    if (isShortNumber(value)) return;
    const text = longNumberText(value, () => this.literalAt(path));
    if (text !== null) this.add({ path, role: role === 'identifier' ? 'other' : role, text, isNumber: true });
  }

  private literalAt(path: string): string | undefined {
    if (this.literals === null) {
      this.literals = inexactNumbers(this.source());
      // Of a stream the paths are its own: all that its event holds are read at once.
      if (path.startsWith('#')) return [...this.literals.values()].join('\n');
    }
    return this.literals.get(path);
  }

  /** From here on this is what is read. */
  from(source: Source): void {
    this.source = source;
    this.literals = null;
  }

  /** A member name that is not the provider's. `path` is the member's own. */
  name(path: string, role: SlotRole, name: string): void {
    if (name !== '') this.add({ path: `${path}~key`, role, text: name, isKey: true });
  }

  joined(path: string, role: SlotRole, text: string, parts: readonly SlotPart[]): void {
    const slot = { path: `#joined:${path}`, role, text };
    this.add(parts.length === 0 ? slot : { ...slot, parts });
  }

  /** Past the limit texts are only gathered: still read, no longer told apart. */
  add(slot: TextSlot): void {
    if (this.slots.length < MAX_SLOTS) this.push(slot);
    else this.overflow += `${slot.text}\n`;
  }

  skip(reason: UnscannedReason, path: string, why: string, mayHold: UnreadContent): void {
    this.note(this.part(reason, path, why, mayHold));
  }

  /**
   * A file whose text is not simply there: unscanned until the caller has it taken out. Without a mark it is listed
   * already, and stays so.
   */
  file(path: string, base64: string, mark: FileMark | null): void {
    if (this.files.length >= MAX_FILES) {
      if (!this.hasMoreFiles)
        this.skip('too_large', path, 'this file and those after it were not read.', 'text');
      this.hasMoreFiles = true;
      return;
    }
    const notice =
      mark === null
        ? null
        : this.part('extractor_unavailable', path, `${FILE_NAMES[mark]}; its text is not extracted.`, 'text');
    if (notice !== null) this.note(notice);
    this.files.push({ path, base64, mark, notice });
  }

  private part(reason: UnscannedReason, path: string, why: string, mayHold: UnreadContent): UnreadPart {
    return { index: this.index, reason, detail: `${path}: ${why}`, path, mayHold };
  }

  /** Of another reading of the same body, too. */
  note(notice: UnreadPart): void {
    const count = this.noted.get(notice.mayHold) ?? 0;
    this.noted.set(notice.mayHold, count + 1);
    if (count < MAX_UNSCANNED) this.unscanned.push(notice);
  }

  /**
   * JSON in a string: its parser sees escapes resolved and numbers written out, so those literals
   * are read so, too. Literals that read the same from outside are not repeated.
   */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over the literals, which looks for each backslash once
  private innerJson(path: string, role: SlotRole, text: string, level: number): void {
    if (level > MAX_INNER_LEVELS || !BEGINS_CONTAINER.test(text)) return;
    if (!text.includes('\\') && !SPELLED_NUMBER.test(text)) return;
    let isChecked = false;
    let backslash = -1;
    for (const { start, end } of jsonScalars(text)) {
      const isString = text.charCodeAt(start) === 34;
      if (isString) {
        if (end - start < MIN_INNER_LITERAL) continue;
        // Each backslash is looked for once.
        if (backslash < start) backslash = text.indexOf('\\', start);
        if (backslash === -1) backslash = text.length;
        if (backslash >= end) continue;
      }
      const raw = text.slice(start, end);
      if (!isString && !SPELLED_NUMBER.test(raw)) continue;
      // Parsing costs more than all the rest, and most JSON holds nothing to decode.
      if (!isChecked && !isJson(text)) return;
      isChecked = true;
      const inner = `${path}~json/${start}`;
      if (isString) {
        const decoded = JSON.parse(raw) as string;
        this.add({ path: inner, role, text: decoded });
        this.innerJson(inner, role, decoded, level + 1);
      } else {
        const written = plainDecimal(raw);
        if (written !== raw && hasLongNumber(written))
          this.add({ path: inner, role, text: written, isNumber: true });
      }
    }
  }
}

const BEGINS_CONTAINER = /^\s*[[{]/;
/** Numbers that are written otherwise than in their digits. */
const SPELLED_NUMBER = /\d[eE][+-]?\d|\d{7}\.0/;
const MAX_INNER_LEVELS = 3;
/** Quotes included; an escape and less than three other characters say nothing. */
const MIN_INNER_LITERAL = 7;

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Deeper than any body the strict parser lets through; what lies below is read as one text. */
const MAX_WALK_DEPTH = 200;

/**
 * Every string leaf, long number and unknown member name of free-form JSON, all in one role; of texts without an
 * author the identifiers are told apart.
 */
export function readLeaves(
  collector: TextCollector,
  value: unknown,
  path: string,
  role: SlotRole,
  depth = 0,
  /** Members of its items that let the provider sign in elsewhere. */
  credentials: readonly string[] = NONE,
): void {
  if (typeof value === 'string') {
    collector.text(path, role, value);
  } else if (typeof value === 'number') {
    collector.number(path, role, value);
  } else if (typeof value !== 'object' || value === null) {
    return;
  } else if (depth > MAX_WALK_DEPTH) {
    collector.skip('unsupported_block', path, 'nested too deep to be read.', 'text');
  } else if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++)
      readLeaves(collector, value[i], `${path}/${i}`, role, depth + 1, credentials);
  } else readMembers(collector, value as JsonObject, path, role, depth, credentials);
}

function readMembers(
  collector: TextCollector,
  members: JsonObject,
  path: string,
  role: SlotRole,
  depth: number,
  credentials: readonly string[],
): void {
  const own = role === 'identifier' ? 'other' : role;
  const { identifiers, words } = collector.rules;
  for (const name in members) {
    const inner = childPointer(path, name);
    if (!words.names.has(name)) collector.name(inner, own, name);
    let leaf: SlotRole = own;
    if (own === 'other' && identifiers.has(name)) leaf = 'identifier';
    else if (depth === 1 && credentials.includes(name)) leaf = 'credential';
    readLeaves(collector, members[name], inner, leaf, depth + 1, credentials);
  }
}

const NONE: readonly string[] = [];
