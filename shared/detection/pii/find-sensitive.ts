import { withoutOverlaps } from '../../text/index.ts';
import { type CleanText, clean, originalRange } from '../normalize/clean.ts';
import { findSecrets, isKnownKey } from '../secrets/find-secrets.ts';
import { behindEscapes } from './behind-escapes.ts';
import { apart, BACKWARDS, backwards, findInToken, mirrored } from './disguised.ts';
import { escapesOf, hiddenOf } from './escapes.ts';
import { findPii } from './find-pii.ts';
import type { PiiSpan } from './spans.ts';
import { SPELT_HINT } from './spelt-email.ts';

/** One search for what tells of spelt-out addresses and of texts written from their end: nearly all have neither. */
const HINT = new RegExp(`${SPELT_HINT.source}|${BACKWARDS.source}`);
/** A code in a code in a code is looked into. */
const MAX_DEPTH = 3;

/**
 * Personal data and secrets of all six types, in disguise too. Offsets are those of the original, which `cleaned` was made
 * of. The one reader of proxy, guard, scan and redact: each chooses among the same spans. Those of one type are in order
 * and apart; those of two may overlap, so choose first and fold then. `asWritten`: of a text that is not decoded.
 */
export function findSensitive(original: string, cleaned: CleanText, asWritten = false): PiiSpan[] {
  const spans = placed(asWritten ? findPlain(cleaned.text) : readCleaned(cleaned), cleaned);
  if (!asWritten && cleaned.hidden > 0)
    addTo(
      spans,
      behindEscapes(original, hiddenOf(original), (parted) => findCleaned(parted, 0)),
    );
  if (!asWritten && cleaned.smuggled !== '') addTo(spans, findSmuggled(cleaned));
  return spans.length < 2 ? spans : foldTypes(spans);
}

/** Spans in a cleaned text at their place in the original. */
function placed(spans: PiiSpan[], cleaned: CleanText): PiiSpan[] {
  if (cleaned.map === undefined) return spans;
  return spans.map((span) => ({ ...span, ...originalRange(cleaned, span.start, span.end) }));
}

function readCleaned({ text, turned }: CleanText): PiiSpan[] {
  const hinted = HINT.test(text);
  const spans = findDeep(text, MAX_DEPTH, hinted);
  if (hinted) addTo(spans, backwards(text, findPlain));
  for (const [start, end] of turned) addTo(spans, mirrored(text, start, end, findPlain));
  addTo(spans, apart(text, findPlain));
  return spans;
}

/** Nearly all of these are empty, and many texts are a word or two. A call takes only so many arguments. */
function addTo(spans: PiiSpan[], more: readonly PiiSpan[]): void {
  for (const span of more) spans.push(span);
}

/** What stands in `text`, behind its escapes and in its tokens of base64 and hex. */
function findDeep(text: string, depth: number, isSpelt = SPELT_HINT.test(text)): PiiSpan[] {
  if (depth === 0) return findPlain(text);
  const decoded = (inner: string) => findCleaned(inner, depth - 1);
  const spans = findSecrets(text, (whole, start, end) => findInToken(whole, start, end, decoded));
  const keys = spans.filter(isKnownKey);
  addTo(spans, findPii(text, isSpelt, keys));
  addTo(spans, behindEscapes(text, escapesOf(text), decoded));
  return spans;
}

/** The same for a text that was decoded, which may hold other spellings. */
function findCleaned(text: string, depth: number): PiiSpan[] {
  const cleaned = clean(text);
  return placed(findDeep(cleaned.text, depth), cleaned);
}

function findPlain(text: string): PiiSpan[] {
  const spans = findSecrets(text);
  addTo(spans, findPii(text, SPELT_HINT.test(text), spans.filter(isKnownKey)));
  return spans;
}

/** What is carried by invisible characters, at their place in the original. */
function findSmuggled({ smuggled, smuggledAt, smuggledEnd }: CleanText): PiiSpan[] {
  return findPlain(smuggled).map((span) => ({ ...span, start: smuggledAt, end: smuggledEnd }));
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
