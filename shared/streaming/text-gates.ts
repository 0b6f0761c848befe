import {
  createRepetitionCheck,
  decideFinding,
  type Finding,
  type OptInType,
  optInReach,
  piiSpans,
  type RepetitionCheck,
  type Ruleset,
  reversed,
  SENSITIVE_TYPES,
  type SensitiveType,
  scan,
  spelledEmails,
  Workspace,
} from '../detection/index.ts';
import { isLowSurrogate, type SlotRole, type TextSlot } from '../text/index.ts';
import { ReleaseGate } from './release-gate.ts';
import { PlainWords } from './words.ts';

/** One text of a response, as it arrives. */
export interface TextGate {
  /** Adds a piece; returns the length of the text that can be released, whatever follows. */
  push(piece: string): number;
  /** Called if another text continues after this one; returns the same length. */
  pause(): number;
  /** The check for repeated instructions, shared with the texts before it that clients display together with it. */
  readonly repetition?: RepetitionCheck | null;
}

export interface TextGates {
  /**
   * Opens a gate for a text of this role that arrives in pieces. `before`: the gate of the text that clients display
   * before it as one text; null if there is none yet, though one may follow.
   */
  open(role: SlotRole, before?: TextGate | null): TextGate;
  /** True if a complete text can be released; for arguments of a call, as far as their text decides. */
  mayLeave(role: SlotRole, text: string): boolean;
}

export interface TextGateOptions {
  /** The developer's texts. */
  readonly systemSlots?: readonly TextSlot[] | undefined;
  readonly workspace?: Workspace;
  /** True if personal data in the texts blocks nothing, because it is evaluated in another spelling of them. */
  readonly isAttacksOnly?: boolean;
}

/** JSON, whose escapes are decoded by its parser. */
const JSON_START = /^\s*[[{]/;

/**
 * Creates gates that determine how much of a response's texts can be released: no part of anything that would block the
 * whole response. Findings that are only reported, or masked where masks can be written, hold nothing back. Only the
 * model's words to a person are released before their end, and none if a policy examines texts itself.
 */
export function createTextGates(
  ruleset: Ruleset,
  { systemSlots = [], workspace = new Workspace(), isAttacksOnly = false }: TextGateOptions = {},
): TextGates {
  const blocks = (
    finding: Pick<Finding, 'type' | 'pii' | 'policyId' | 'reportOnly'>,
    role: SlotRole = 'assistant',
  ): boolean =>
    !(isAttacksOnly && finding.type === 'pii_leak') &&
    decideFinding(ruleset.output, { ...finding, role }).action === 'block';
  const looksInside = ruleset.custom !== null || ruleset.asksForFindings;
  const isBlocked = (pii: SensitiveType): boolean =>
    blocks({ type: pii === 'api_key' ? 'secret_leak' : 'pii_leak', pii });
  const blocksLeaks = blocks({ type: 'system_prompt_leak' });
  const stopsWhole = (role: SlotRole, text: string): boolean =>
    scan([{ path: '', role, text }], ruleset, 'output', { systemSlots, workspace }).some((finding) =>
      // The effect of findings in data and calls also depends on their origin.
      DATA.has(role) ? finding.type !== 'pii_leak' || blocks(finding, role) : blocks(finding),
    );
  const optIn = ruleset.output.optIn.filter(isBlocked);
  const onlyKeys =
    optIn.length === 0 && !SENSITIVE_TYPES.some(({ type }) => type !== 'api_key' && isBlocked(type));
  const hasKey = (text: string): boolean =>
    piiSpans(text, undefined, workspace).some(({ type }) => type === 'api_key');
  const stops = (text: string, isToken: boolean): boolean =>
    (isToken
      ? hasKey(text)
      : scan([{ path: '', role: 'assistant', text }], ruleset, 'output', { workspace }).some((finding) =>
          blocks(finding),
        )) ||
    (isBlocked('email') && spelledEmails(text).length > 0) ||
    piiSpans(reversed(text, workspace), undefined, workspace).some(({ type }) => isBlocked(type));

  return {
    mayLeave: (role, text) =>
      text === '' || (!looksInside && text.length <= MAX_WHOLE && !stopsWhole(role, text)),
    open(role, before) {
      // Personal data is recognized by words some distance before it.
      if (role !== 'assistant' || looksInside || (before !== undefined && !onlyKeys)) return CLOSED;
      const repetition = blocksLeaks
        ? (before?.repetition ?? createRepetitionCheck(systemSlots, workspace))
        : null;
      const gate = openGate(
        new ReleaseGate(stops, onlyKeys, workspace),
        new OptInGate(optIn, workspace),
        repetition,
      );
      return before === undefined ? gate : openBehind(gate);
    },
  };
}

function openGate(gate: ReleaseGate, optIn: OptInGate, repetition: RepetitionCheck | null): TextGate {
  let start = '';
  let released = 0;
  let isClosed = false;
  return {
    repetition,
    push(piece) {
      if (isClosed) return released;
      if (start.length < START) start += piece.slice(0, START);
      isClosed = (piece.includes('\\') && JSON_START.test(start)) || repetition?.add(piece) === true;
      if (!isClosed) released = Math.min(gate.push(piece), optIn.push(piece));
      return released;
    },
    pause() {
      if (!isClosed) released = Math.min(gate.pause(), optIn.push(''));
      return released;
    },
  };
}

/**
 * Opens a gate for a text that clients display after another one. No finding of the two together begins in the first,
 * unless that was held back; but the first may still grow, whatever its provider said about its end. So this text must
 * begin with plain words, which no value and no name of a value spans, or it waits.
 */
function openBehind(gate: TextGate): TextGate {
  let start: string | null = '';
  let isPlain = false;
  return {
    repetition: gate.repetition ?? null,
    push(piece) {
      const released = gate.push(piece);
      if (start !== null) {
        start += piece;
        const begins = beginning(start);
        isPlain = begins === 'plain';
        if (begins !== 'open') start = null;
      }
      return isPlain ? released : 0;
    },
    pause() {
      const released = gate.pause();
      if (start !== null && NO_WORD.test(start)) return start.length;
      return isPlain ? released : 0;
    },
  };
}

const DATA: ReadonlySet<SlotRole> = new Set(['tool_call', 'tool_result', 'document']);
/** Longer texts wait for the whole response, which may be scanned in a thread. */
const MAX_WHOLE = 24_000;
const START = 64;
const CLOSED: TextGate = { push: () => 0, pause: () => 0 };

/** Only whitespace and punctuation that ends words. */
export const NO_WORD = /^[\s.,:;!?)]{0,12}$/;
const LETTERS = /^["'“‘(*`]{0,3}\p{L}{2,}[^\p{N}]*$/u;
const MIN_WORDS = 2;

/**
 * Classifies the beginning of a text. `plain`: words that are not part of a value, a key or an address, whatever
 * precedes them. `open`: its first words have not ended.
 */
export function beginning(text: string): 'plain' | 'open' | 'other' {
  const words = text.slice(LEADING_SIGNS.exec(text)![0].length).split(/\s+/);
  const reader = new PlainWords();
  for (let at = 0; at < MIN_WORDS; at++) {
    const word = words[at]!;
    if (at === words.length - 1) return word.length > MAX_WORD ? 'other' : 'open';
    if (!LETTERS.test(word) || !reader.isPlain(word)) return 'other';
  }
  return 'plain';
}

const LEADING_SIGNS = /^[\s.,:;!?*#>"'“”‘’()–—•-]{0,12}/;
const MAX_WORD = 24;

/** The minimum of new text before the text is read again, so that reading stays linear. */
const STRIDE = 256;

/**
 * Determines up to which offset a text that arrives in pieces contains no value of the given types. Names, dates and
 * addresses are plain words, so all of the text is read, as far as later text cannot change its findings. After the
 * first finding nothing more is released.
 */
export class OptInGate {
  private readonly types: readonly OptInType[];
  private readonly workspace: Workspace;
  private readonly before: number;
  private readonly after: number;
  /** The end of the text, from `base` on. */
  private tail = '';
  private base = 0;
  private readUntil = 0;
  private released = 0;
  private isClosed = false;

  constructor(types: readonly OptInType[], workspace: Workspace) {
    this.types = types;
    this.workspace = workspace;
    const { before, after } = optInReach(types);
    this.before = before;
    this.after = after;
  }

  /** Adds a piece; returns the length of the text that can be released, whatever follows. */
  push(piece: string): number {
    if (this.types.length === 0) return Number.POSITIVE_INFINITY;
    if (this.isClosed) return this.released;
    this.tail += piece;
    const end = this.base + this.tail.length;
    if (end - this.readUntil >= STRIDE) this.read(end);
    return this.released;
  }

  private read(end: number): void {
    this.readUntil = end;
    const settled = end - this.after;
    if (settled <= 0) return;
    const found = piiSpans(this.tail, this.types, this.workspace);
    if (found.some(({ start }) => this.base + start <= settled)) {
      this.isClosed = true;
      this.tail = '';
      return;
    }
    // Does not split a surrogate pair.
    const isHalf = isLowSurrogate(this.tail.charCodeAt(settled - this.base));
    this.released = Math.max(this.released, isHalf ? settled - 1 : settled);
    const from = Math.max(0, settled - this.before - this.base);
    this.tail = this.tail.slice(from);
    this.base += from;
  }
}
