import type { UnscannedReason } from '../../contract/index.ts';
import {
  type Conversation,
  conversationOf,
  isJsonInSteps,
  jsonScalars,
  type Message,
  originOf,
  type SlotPart,
  type SlotRole,
  type Steps,
  type TextSlot,
} from '../../text/index.ts';
import type { EncodedFile, SignedBlock, Source, UnreadContent, UnreadPart } from '../wire-format.ts';
import { FILE_FORMATS, type FileMark } from './file-marks.ts';
import { isIdentifier } from './identifiers.ts';
import { hasLongNumber, inexactNumbers, isShortNumber, longNumberText, plainDecimal } from './numbers.ts';
import { childPointer } from './path.ts';
import type { Rules, Words } from './rules.ts';
import { sealOf, signedTexts } from './signed-blocks.ts';

/** More than any conversation needs; limits the cost of a body with millions of tiny strings. */
export const MAX_SLOTS = 200_000;
/** Limit for each kind, so that images and encrypted parts never displace a document. */
const MAX_UNSCANNED = 1_000;
/** One less, to leave room for the notice of further ones. */
const MAX_FILES = MAX_UNSCANNED - 1;

/** Collects the texts that readers find. One per body. */
export class TextCollector {
  readonly slots: TextSlot[] = [];
  private readonly messages: Message[] = [];
  readonly unscanned: UnreadPart[] = [];
  readonly files: EncodedFile[] = [];
  readonly signed: SignedBlock[] = [];
  /** Pointers of what the model thinks; only of responses. */
  readonly thoughts: string[] = [];
  private signedPath: string | null = null;
  /** True for texts that go to a client, who has to send its signed blocks back as they are, but not to a provider. */
  isAnswer = false;
  private hasMoreFiles = false;
  /** Index of the message or item being read; goes into `unscanned`. */
  index = 0;
  /** Texts beyond MAX_SLOTS; requests with any are rejected. */
  overflow = '';
  /** True for bodies that will be redacted: then every text has its own path. */
  readonly isWrittenBack: boolean;
  readonly rules: Rules;
  private readonly words: Words;
  /** Slots of the message being read; null until its first text. */
  private current: TextSlot[] | null = null;
  /** Texts and values in them that were read. */
  private read = 0;
  private isOpen = false;
  private openRole = '';
  private openSpeaker: SlotRole = 'other';
  private openPath = '';
  private openIndex: number | null = null;
  private readonly noted = new Map<UnreadContent, number>();
  private source: Source = () => '';
  private literals: ReadonlyMap<string, string> | null = null;
  /** True inside the conversation of another format, in which no role is trusted. */
  isForeign = false;

  constructor(rules: Rules, isWrittenBack = false) {
    this.isWrittenBack = isWrittenBack;
    this.rules = rules;
    this.words = rules.words;
  }

  /** True for an exact word of a provider, which cannot contain an attack or a secret. */
  isKnownValue(text: string): boolean {
    return text.length <= this.words.maxValueLength && this.words.values.has(text);
  }

  /** Returns the role of a member of another format: data stays data, everything else is the sender's. */
  untrusted(role: SlotRole | undefined): SlotRole {
    if (role === 'tool_result' || role === 'document' || role === 'other') return role;
    return this.isWrittenBack ? 'user' : 'assistant';
  }

  /** Starts a message, to which all further texts belong. A message without texts is not added. */
  open(role: string, speaker: SlotRole, path: string, index: number | null): void {
    this.current = null;
    this.isOpen = true;
    this.openRole = role;
    this.openSpeaker = speaker;
    this.openPath = path;
    this.openIndex = index;
  }

  /** Returns everything that was read. If no message was opened, it is one message by `speaker`. */
  conversation(speaker: SlotRole): Conversation {
    if (this.overflow !== '' && !this.isWrittenBack) {
      this.open('overflow', speaker, '#overflow', null);
      this.push({ path: '#overflow', role: speaker, text: this.overflow });
    }
    return this.isOpen ? { messages: this.messages, slots: this.slots } : conversationOf(this.slots, speaker);
  }

  /** Begins a block, inside of which every text is signed if it is; returns what `leave` ends it with. */
  enter(block: JsonObject, path: string, role: SlotRole, isItem = false): string | null {
    const around = this.signedPath;
    const seal = around === null ? sealOf(this.rules, block, role, isItem) : null;
    if (seal !== null) {
      this.signedPath = path;
      this.signed.push({ path, seal, texts: signedTexts(block, this.words) });
    }
    const isThought = seal !== null || this.rules.types.get(String(block['type']))?.isThought === true;
    if (isThought && !this.isWrittenBack) this.thoughts.push(path);
    return around;
  }

  get isInSigned(): boolean {
    return this.signedPath !== null;
  }

  leave(around: string | null): void {
    this.signedPath = around;
  }

  /** Reads a text that its provider sealed, which stays as it is wherever it is. */
  *sealed(path: string, role: SlotRole, text: string): Steps<void> {
    const around = this.signedPath;
    this.signedPath ??= path.slice(0, path.lastIndexOf('/'));
    yield* this.text(path, role, text);
    this.signedPath = around;
  }

  private push(read: TextSlot): void {
    const isBound = this.signedPath !== null && this.isWrittenBack && !this.isAnswer;
    const slot = isBound ? { ...read, signedBlock: this.signedPath! } : read;
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

  /** In the role of an identifier only texts of that form keep it. */
  *text(path: string, role: SlotRole, text: string): Steps<void> {
    if (++this.read % STRIDE === 0) yield;
    if (text === '' || this.isKnownValue(text)) return;
    const own = role === 'identifier' && !isIdentifier(text) ? 'other' : role;
    this.add({ path, role: own, text });
    const first = text.charCodeAt(0);
    if (first === 123 || first === 91 || first <= 32) yield* this.innerJson(path, own, text, 1);
  }

  /** Reads a number of seven or more digits as text. */
  number(path: string, role: SlotRole, value: number): void {
    if (isShortNumber(value)) return;
    const text = longNumberText(value, () => this.literalAt(path));
    if (text !== null) this.add({ path, role: role === 'identifier' ? 'other' : role, text, isNumber: true });
  }

  private literalAt(path: string): string | undefined {
    if (this.literals === null) {
      this.literals = inexactNumbers(this.source());
      // Paths of a stream do not match its source, so all literals of its event are returned at once.
      if (path.startsWith('#')) return [...this.literals.values()].join('\n');
    }
    return this.literals.get(path);
  }

  /** Sets the source of the following values. */
  from(source: Source): void {
    this.source = source;
    this.literals = null;
  }

  /** Adds a member name that is not the provider's. `path` is the member's own. */
  name(path: string, role: SlotRole, name: string): void {
    if (name !== '') this.add({ path: `${path}~key`, role, text: name, isKey: true });
  }

  joined(path: string, role: SlotRole, text: string, parts: readonly SlotPart[]): void {
    const slot = { path: `#joined:${path}`, role, text };
    this.add(parts.length === 0 ? slot : { ...slot, parts });
  }

  /** Beyond the limit texts are only joined: still read, but not separately. */
  add(slot: TextSlot): void {
    if (this.slots.length < MAX_SLOTS) this.push(slot);
    else this.overflow += `${slot.text}\n`;
  }

  skip(reason: UnscannedReason, path: string, why: string, mayHold: UnreadContent): void {
    this.note(this.part(reason, path, why, mayHold));
  }

  /**
   * Adds a file whose text must be extracted: unscanned until the caller does so. Without marks it is already listed,
   * and stays listed.
   */
  file(path: string, base64: string, marks: readonly FileMark[]): void {
    if (this.files.length >= MAX_FILES) {
      if (!this.hasMoreFiles)
        this.skip('too_large', path, 'this file and those after it were not read.', 'text');
      this.hasMoreFiles = true;
      return;
    }
    const name = FILE_FORMATS.find(({ mark }) => mark === marks[0])?.name;
    const notice =
      name === undefined
        ? null
        : this.part('extractor_unavailable', path, `${name}; its text is not extracted.`, 'text');
    if (notice !== null) this.note(notice);
    this.files.push({ path, base64, marks, notice });
  }

  private part(reason: UnscannedReason, path: string, why: string, mayHold: UnreadContent): UnreadPart {
    return { index: this.index, reason, detail: `${path}: ${why}`, path, mayHold };
  }

  /** Also takes notices of another reading of the same body. */
  note(notice: UnreadPart): void {
    const count = this.noted.get(notice.mayHold) ?? 0;
    this.noted.set(notice.mayHold, count + 1);
    if (count < MAX_UNSCANNED) this.unscanned.push(notice);
  }

  /**
   * Reads JSON in a string as its parser does, with escapes decoded and numbers written out. Literals without a
   * difference are not repeated.
   */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass that searches each backslash once
  private *innerJson(path: string, role: SlotRole, text: string, level: number): Steps<void> {
    if (level > MAX_INNER_LEVELS || !BEGINS_CONTAINER.test(text)) return;
    if (!text.includes('\\') && !SPELLED_NUMBER.test(text)) return;
    let isChecked = false;
    let backslash = -1;
    for (const { start, end } of jsonScalars(text)) {
      if (++this.read % STRIDE === 0) yield;
      const isString = text.charCodeAt(start) === 34;
      if (isString) {
        if (end - start < MIN_INNER_LITERAL) continue;
        // Searches each backslash once.
        if (backslash < start) backslash = text.indexOf('\\', start);
        if (backslash === -1) backslash = text.length;
        if (backslash >= end) continue;
      }
      const raw = text.slice(start, end);
      if (!isString && !SPELLED_NUMBER.test(raw)) continue;
      // Parsing is the most expensive step, and most JSON has nothing to decode.
      if (!isChecked && !(yield* isJsonInSteps(text))) return;
      isChecked = true;
      const inner = `${path}~json/${start}`;
      if (isString) {
        const decoded = JSON.parse(raw) as string;
        this.add({ path: inner, role, text: decoded });
        yield* this.innerJson(inner, role, decoded, level + 1);
      } else {
        const written = plainDecimal(raw);
        if (written !== raw && hasLongNumber(written))
          this.add({ path: inner, role, text: written, isNumber: true });
      }
    }
  }
}

/** Texts that are read between two pauses. */
const STRIDE = 64;
const BEGINS_CONTAINER = /^\s*[[{]/;
/** Numbers in a form other than plain digits. */
const SPELLED_NUMBER = /\d[eE][+-]?\d|\d{7}\.0/;
const MAX_INNER_LEVELS = 3;
/** Includes quotes; an escape and fewer than three other characters carry no meaning. */
const MIN_INNER_LITERAL = 7;

export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Deeper than any body the strict parser accepts; deeper values are read as one text. */
const MAX_WALK_DEPTH = 200;

/**
 * Reads every string leaf, long number and unknown member name of free-form JSON, all in one role; in texts without an
 * author, identifiers are distinguished.
 */
export function* readLeaves(
  collector: TextCollector,
  value: unknown,
  path: string,
  role: SlotRole,
  depth = 0,
  /** Members of its items with which the provider signs in elsewhere. */
  credentials: readonly string[] = NONE,
): Steps<void> {
  if (typeof value === 'string') {
    yield* collector.text(path, role, value);
  } else if (typeof value === 'number') {
    collector.number(path, role, value);
  } else if (typeof value !== 'object' || value === null) {
    return;
  } else if (depth > MAX_WALK_DEPTH) {
    collector.skip('unsupported_block', path, 'nested too deep to be read.', 'text');
  } else if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      if (i % STRIDE === STRIDE - 1) yield;
      yield* readLeaves(collector, value[i], `${path}/${i}`, role, depth + 1, credentials);
    }
  } else yield* readMembers(collector, value as JsonObject, path, role, depth, credentials);
}

function* readMembers(
  collector: TextCollector,
  members: JsonObject,
  path: string,
  role: SlotRole,
  depth: number,
  credentials: readonly string[],
): Steps<void> {
  const own = role === 'identifier' ? 'other' : role;
  const { identifiers, words } = collector.rules;
  const around = collector.enter(members, path, role);
  for (const name in members) {
    const inner = childPointer(path, name);
    if (!words.names.has(name)) collector.name(inner, own, name);
    let leaf: SlotRole = own;
    if (own === 'other' && identifiers.has(name)) leaf = 'identifier';
    else if (depth === 1 && credentials.includes(name)) leaf = 'credential';
    yield* readLeaves(collector, members[name], inner, leaf, depth + 1, credentials);
  }
  collector.leave(around);
}

const NONE: readonly string[] = [];
