import type { Unscanned, UnscannedReason } from '../contract/index.ts';
import { closingQuote, type SlotPart, type SlotRole, type TextSlot } from '../text/index.ts';
import { isKnownValue, KNOWN_NAMES } from './vocabulary.ts';

/** Where readers put what they find. One per body. */
export class Reading {
  readonly slots: TextSlot[] = [];
  readonly unscanned: Unscanned[] = [];
  /** Of the message or item being read; goes into `unscanned`. */
  index = 0;

  text(path: string, role: SlotRole, text: string): void {
    if (text === '' || isKnownValue(text)) return;
    this.slots.push({ path, role, text });
    const first = text.charCodeAt(0);
    if (first === 123 || first === 91 || first <= 32) this.innerJson(path, role, text, 1);
  }

  /** A member name that is not the vendor's. `path` is the member's own. */
  name(path: string, role: SlotRole, name: string): void {
    if (name !== '') this.slots.push({ path: `${path}~key`, role, text: name, isKey: true });
  }

  joined(path: string, role: SlotRole, text: string, parts: readonly SlotPart[]): void {
    this.slots.push(
      parts.length === 0
        ? { path: `#joined:${path}`, role, text }
        : { path: `#joined:${path}`, role, text, parts },
    );
  }

  skip(reason: UnscannedReason, detail: string): void {
    this.unscanned.push({ index: this.index, reason, detail });
  }

  /**
   * JSON held in a string: whoever parses it sees its escapes resolved, so those literals are read resolved, too.
   * Literals without an escape read the same from outside and are not repeated.
   */
  private innerJson(path: string, role: SlotRole, text: string, level: number): void {
    if (level > MAX_INNER_LEVELS || !text.includes('\\') || !/^\s*[[{]/.test(text) || !isJson(text)) return;
    let open = text.indexOf('"');
    while (open !== -1) {
      const close = closingQuote(text, open);
      if (close === -1) return;
      const raw = text.slice(open, close + 1);
      if (raw.length >= MIN_INNER_LITERAL && raw.includes('\\')) {
        const decoded = JSON.parse(raw) as string;
        const inner = `${path}~json/${open}`;
        this.slots.push({ path: inner, role, text: decoded });
        this.innerJson(inner, role, decoded, level + 1);
      }
      open = text.indexOf('"', close + 1);
    }
  }
}

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

export type Members = Readonly<Record<string, unknown>>;

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** One pointer step. Names with `~` or `/` are rare, so look before replacing. */
export function step(path: string, name: string): string {
  if (name.includes('~') || name.includes('/')) {
    return `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  }
  return `${path}/${name}`;
}

/** Deeper than any body the strict parser lets through; what lies below is read as one text. */
const MAX_WALK_DEPTH = 200;

/** Every string leaf and unknown member name of free-form JSON, all in one role. */
export function readLeaves(reading: Reading, value: unknown, path: string, role: SlotRole, depth = 0): void {
  if (typeof value === 'string') {
    reading.text(path, role, value);
  } else if (typeof value !== 'object' || value === null) {
    return;
  } else if (depth > MAX_WALK_DEPTH) {
    reading.skip('unsupported_block', `Nested too deep to be read (${path.length} characters of path).`);
  } else if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) readLeaves(reading, value[i], `${path}/${i}`, role, depth + 1);
  } else {
    for (const name in value) {
      const inner = step(path, name);
      if (!KNOWN_NAMES.has(name)) reading.name(inner, role, name);
      readLeaves(reading, (value as Members)[name], inner, role, depth + 1);
    }
  }
}
