import { withoutOverlaps } from '../../text/index.ts';
import { type NormalizedText, normalizeText, originalRange } from '../normalize/normalize-text.ts';
import type { Text } from '../read/codes.ts';
import { findSecrets } from '../secrets/find-secrets.ts';
import { isKnownKey } from '../secrets/secret-span.ts';
import type { Workspace } from '../workspace.ts';
import { APART, BACKWARDS, BACKWARDS_LINES, IN_TOKEN, type Reading, TURNED } from './disguised.ts';
import { escapesOf, hiddenOf } from './escapes.ts';
import { IN_ESCAPES } from './find-in-escapes.ts';
import { findPii } from './find-pii.ts';
import { findOptIn, type OptInType, type SensitiveType } from './registry.ts';
import type { PiiSpan } from './spans.ts';
import { SPELLED_HINT } from './spelled-email.ts';

/** A single search for hints at spelled-out addresses and reversed text: nearly all texts have neither. */
const HINT = new RegExp(`${SPELLED_HINT.source}|${BACKWARDS.source}`);
/** Every way in which values are read beside the plain one. */
export const READINGS: readonly Reading[] = [IN_TOKEN, IN_ESCAPES, BACKWARDS_LINES, TURNED, APART];
/** The depth to which nested codes are decoded. */
const MAX_DEPTH = 3;

/** A span of one of the registry's types. */
export interface SensitiveSpan extends PiiSpan {
  readonly type: SensitiveType;
}

/**
 * Finds personal data and secrets of all types, also encoded ones. Offsets refer to the original of `cleaned`; `text`
 * is the cleaned text. Proxy, guard, scan and redact all use this reader and select from the same spans. Spans of one
 * type are in order and do not overlap; spans of two types may overlap, so select first and merge then. `optIn`: opt-in
 * types to find. `asWritten`: true if the text must not be decoded.
 */
export function findSensitive(
  original: string,
  cleaned: NormalizedText,
  text: Text,
  workspace: Workspace,
  optIn: readonly OptInType[],
  asWritten = false,
): SensitiveSpan[] {
  const reader = new SensitiveReader(workspace, optIn);
  const spans = placed(asWritten ? reader.plain(text) : reader.whole(text, cleaned.turned), cleaned);
  if (!asWritten && cleaned.hidden > 0)
    addTo(
      spans,
      IN_ESCAPES.find(original, hiddenOf(original), (parted) => reader.cleaned(parted, 0)),
    );
  if (!asWritten && cleaned.smuggled !== '') addTo(spans, findSmuggled(cleaned, reader));
  // Recognizers only return the types of their own rows.
  return (spans.length < 2 ? spans : foldTypes(spans)) as SensitiveSpan[];
}

/** Finds only the secrets of a text that must not be decoded, as `findSensitive` does. */
export function findSecretsAsWritten(cleaned: NormalizedText, text: Text): SensitiveSpan[] {
  return placed(findSecrets(text), cleaned) as SensitiveSpan[];
}

/** Converts spans of a cleaned text to positions in the original. */
function placed(spans: PiiSpan[], cleaned: NormalizedText): PiiSpan[] {
  if (cleaned.map === undefined) return spans;
  return spans.map((span) => ({ ...span, ...originalRange(cleaned, span.start, span.end) }));
}

/** Reads texts and their decoded parts, all in the same way. */
class SensitiveReader {
  private readonly workspace: Workspace;
  private readonly optIn: readonly OptInType[];

  constructor(workspace: Workspace, optIn: readonly OptInType[]) {
    this.workspace = workspace;
    this.optIn = optIn;
  }

  /** Reads a text of a request with all its encodings. */
  whole(text: Text, turned: NormalizedText['turned']): PiiSpan[] {
    const { string } = text;
    const plain = (inner: string) => this.plainOf(inner);
    const hinted = HINT.test(string);
    const spans = this.deep(text, MAX_DEPTH, hinted);
    if (hinted) addTo(spans, BACKWARDS_LINES.find(string, this.workspace, plain));
    for (const [start, end] of turned) addTo(spans, TURNED.find(string, start, end, this.workspace, plain));
    addTo(spans, APART.find(text, plain));
    return spans;
  }

  /** Reads `text`, its escapes and its tokens of base64 and hex. */
  private deep(text: Text, depth: number, isSpelled: boolean): PiiSpan[] {
    if (depth === 0) return this.plain(text, isSpelled);
    const decoded = (inner: string) => this.cleaned(inner, depth - 1);
    const spans = findSecrets(text, (whole, start, end) => IN_TOKEN.find(whole, start, end, decoded));
    this.addPersonal(spans, text, isSpelled);
    addTo(spans, IN_ESCAPES.find(text.string, escapesOf(text.string), decoded));
    return spans;
  }

  /** The same for a text that was decoded, which may contain other spellings. */
  cleaned(inner: string, depth: number): PiiSpan[] {
    const { workspace } = this;
    const cleaned = normalizeText(inner, workspace);
    return workspace.withText(cleaned.text, (text) =>
      placed(this.deep(text, depth, SPELLED_HINT.test(text.string)), cleaned),
    );
  }

  /** Reads a text without decoding. */
  plain(text: Text, isSpelled = SPELLED_HINT.test(text.string)): PiiSpan[] {
    const spans = findSecrets(text);
    this.addPersonal(spans, text, isSpelled);
    return spans;
  }

  /** Adds personal data to the secrets of a text. */
  private addPersonal(spans: PiiSpan[], text: Text, isSpelled: boolean): void {
    addTo(spans, findPii(text, isSpelled, spans.filter(isKnownKey)));
    if (this.optIn.length > 0) addTo(spans, findOptIn(text.string, this.optIn));
  }

  plainOf(inner: string): PiiSpan[] {
    return this.workspace.withText(inner, (text) => this.plain(text));
  }
}

/** A loop, because nearly all of these lists are empty and the number of call arguments is limited. */
function addTo(spans: PiiSpan[], more: readonly PiiSpan[]): void {
  for (const span of more) spans.push(span);
}

/** Finds values in invisible characters, at their position in the original. */
function findSmuggled(
  { smuggled, smuggledAt, smuggledEnd }: NormalizedText,
  reader: SensitiveReader,
): PiiSpan[] {
  return reader.plainOf(smuggled).map((span) => ({ ...span, start: smuggledAt, end: smuggledEnd }));
}

/** Merges overlapping spans of one type. */
function foldTypes(spans: readonly PiiSpan[]): PiiSpan[] {
  const byType = new Map<PiiSpan['type'], PiiSpan[]>();
  for (const span of spans) {
    const same = byType.get(span.type);
    if (same === undefined) byType.set(span.type, [span]);
    else same.push(span);
  }
  return [...byType.values()].flatMap((same) => withoutOverlaps(same)).sort((a, b) => a.start - b.start);
}
