import { withoutOverlaps } from '../../text/index.ts';
import { type CleanText, clean, originalRange } from '../normalize/clean.ts';
import type { Text } from '../read/codes.ts';
import { findSecrets } from '../secrets/find-secrets.ts';
import { isKnownKey } from '../secrets/secret-span.ts';
import type { Workspace } from '../workspace.ts';
import { behindEscapes } from './behind-escapes.ts';
import { apart, BACKWARDS, backwards, findInToken, mirrored } from './disguised.ts';
import { escapesOf, hiddenOf } from './escapes.ts';
import { findPii } from './find-pii.ts';
import { findOptIn, type OptInType, type SensitiveType } from './registry.ts';
import type { PiiSpan } from './spans.ts';
import { SPELLED_HINT } from './spelled-email.ts';

/** One search for what tells of spelled-out addresses and of texts written from their end: nearly all have neither. */
const HINT = new RegExp(`${SPELLED_HINT.source}|${BACKWARDS.source}`);
/** A code in a code in a code is looked into. */
const MAX_DEPTH = 3;

/** A span of one of the registry's types. */
export interface SensitiveSpan extends PiiSpan {
  readonly type: SensitiveType;
}

/**
 * Personal data and secrets of all types, in disguise too. Offsets are those of the original, which `cleaned` was made
 * of; `text` is its text. The one reader of proxy, guard, scan and redact: each chooses among the same spans. Those of one
 * type are in order and apart; those of two may overlap, so choose first and fold then. `optIn`: types that are
 * looked for only where they are asked for. `asWritten`: of a text that is not decoded.
 */
export function findSensitive(
  original: string,
  cleaned: CleanText,
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
      behindEscapes(original, hiddenOf(original), (parted) => reader.cleaned(parted, 0)),
    );
  if (!asWritten && cleaned.smuggled !== '') addTo(spans, findSmuggled(cleaned, reader));
  // recognizers return no types but those of their own rows
  return (spans.length < 2 ? spans : foldTypes(spans)) as SensitiveSpan[];
}

/** Spans in a cleaned text at their place in the original. */
function placed(spans: PiiSpan[], cleaned: CleanText): PiiSpan[] {
  if (cleaned.map === undefined) return spans;
  return spans.map((span) => ({ ...span, ...originalRange(cleaned, span.start, span.end) }));
}

/** Reads texts and what is written in them in a code, each in the same way. */
class SensitiveReader {
  private readonly workspace: Workspace;
  private readonly optIn: readonly OptInType[];

  constructor(workspace: Workspace, optIn: readonly OptInType[]) {
    this.workspace = workspace;
    this.optIn = optIn;
  }

  /** A text of a request with all its disguises. */
  whole(text: Text, turned: CleanText['turned']): PiiSpan[] {
    const { string } = text;
    const plain = (inner: string) => this.plainOf(inner);
    const hinted = HINT.test(string);
    const spans = this.deep(text, MAX_DEPTH, hinted);
    if (hinted) addTo(spans, backwards(string, this.workspace, plain));
    for (const [start, end] of turned) addTo(spans, mirrored(string, start, end, this.workspace, plain));
    addTo(spans, apart(text, plain));
    return spans;
  }

  /** What stands in `text`, behind its escapes and in its tokens of base64 and hex. */
  private deep(text: Text, depth: number, isSpelled: boolean): PiiSpan[] {
    if (depth === 0) return this.plain(text, isSpelled);
    const decoded = (inner: string) => this.cleaned(inner, depth - 1);
    const spans = findSecrets(text, (whole, start, end) => findInToken(whole, start, end, decoded));
    this.addPersonal(spans, text, isSpelled);
    addTo(spans, behindEscapes(text.string, escapesOf(text.string), decoded));
    return spans;
  }

  /** The same for a text that was decoded, which may contain other spellings. */
  cleaned(inner: string, depth: number): PiiSpan[] {
    const { workspace } = this;
    const cleaned = clean(inner, workspace);
    return workspace.withText(cleaned.text, (text) =>
      placed(this.deep(text, depth, SPELLED_HINT.test(text.string)), cleaned),
    );
  }

  /** What is written as it is read. */
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

/** Nearly all of these are empty, and many texts are a word or two. A call takes only so many arguments. */
function addTo(spans: PiiSpan[], more: readonly PiiSpan[]): void {
  for (const span of more) spans.push(span);
}

/** What is carried by invisible characters, at their place in the original. */
function findSmuggled({ smuggled, smuggledAt, smuggledEnd }: CleanText, reader: SensitiveReader): PiiSpan[] {
  return reader.plainOf(smuggled).map((span) => ({ ...span, start: smuggledAt, end: smuggledEnd }));
}

/** Spans of one type folded into those they overlap with. */
function foldTypes(spans: readonly PiiSpan[]): PiiSpan[] {
  const byType = new Map<PiiSpan['type'], PiiSpan[]>();
  for (const span of spans) {
    const same = byType.get(span.type);
    if (same === undefined) byType.set(span.type, [span]);
    else same.push(span);
  }
  return [...byType.values()].flatMap((same) => withoutOverlaps(same)).sort((a, b) => a.start - b.start);
}
