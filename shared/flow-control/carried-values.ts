import { pausing, type Steps, trimEndBy } from '../text/index.ts';
import type { ArgumentField } from './argument-fields.ts';
import { emailsIn, piecesOf } from './argument-values.ts';
import type { SourceText } from './types.ts';

const MIN_CARRIED = 8;
const LONG_DIGITS = /\d{9,40}/g;
/** Letters and digits mixed, as in keys and tokens. */
const TOKEN = /(?=[\w-]{0,60}\d)(?=[\w-]{0,60}[a-z])[\w-]{16,200}/gi;
const BASE64 = /^[\w+/=-]{12,}$/;

export interface Carried {
  readonly text: string;
  /** True if its form marks it as a secret or as personal. */
  readonly isSensitive: boolean;
  /** True: it stands in another argument than the address, whose author does not know it. */
  readonly isBeside?: boolean;
}

const DIGITS = /\d{6,40}/g;
/** Sizes and limits, which many texts have. */
const ROUND = /0{3}$/;
const MIN_BESIDE = 12;
const MAX_BESIDE = 200;

/** Returns the values in arguments beside an address: what is sensitive by its form, and each as a whole. */
export function* carriedBeside(fields: readonly ArgumentField[]): Steps<Carried[]> {
  const found = new Set<string>();
  for (const { text } of fields) {
    for (const piece of piecesOf(text)) {
      const digits = (piece.match(DIGITS) ?? []).filter((number) => !ROUND.test(number));
      for (const one of [...emailsIn(piece), ...digits, ...(piece.match(TOKEN) ?? [])])
        found.add(one.toLowerCase());
      yield;
    }
    const whole = text.length > MAX_BESIDE ? '' : text.trim().toLowerCase();
    if (whole.length >= MIN_BESIDE) found.add(whole);
  }
  return [...found].map((text) => ({ text, isSensitive: true, isBeside: true }));
}

/** Returns the variable parts of an address: its query, fragment, path segments and subdomain labels. */
function* carriedIn(url: string): Steps<Carried[]> {
  const rest = url.replace(/^[a-z][a-z\d+.-]*:\/\//i, '');
  const at = rest.search(/[/?#]/);
  const labels = (at === -1 ? rest : rest.slice(0, at)).split('.').slice(0, -2);
  const parts = (at === -1 ? '' : rest.slice(at)).split(/[/?#&=;]/);
  const found = new Map<string, Carried>();
  yield* pausing([...labels, ...parts], (part) => {
    for (const text of readings(part)) {
      const sensitive = [...emailsIn(text), ...(text.match(LONG_DIGITS) ?? []), ...(text.match(TOKEN) ?? [])];
      for (const one of sensitive)
        found.set(one.toLowerCase(), { text: one.toLowerCase(), isSensitive: true });
      const whole = text.trim().replace(/\s+/g, ' ').toLowerCase();
      if (whole.length >= MIN_CARRIED && !found.has(whole))
        found.set(whole, { text: whole, isSensitive: false });
    }
  });
  return [...found.values()];
}

/** Returns a part in each of its decodings. */
function readings(part: string): string[] {
  if (part.length < MIN_CARRIED) return [];
  let plain = part.replaceAll('+', ' ');
  try {
    plain = decodeURIComponent(plain);
  } catch {
    // An invalid percent escape is kept as it is.
  }
  const decoded = BASE64.test(part) ? decodedBase64(part) : null;
  return decoded === null ? [plain] : [plain, decoded];
}

function decodedBase64(text: string): string | null {
  try {
    const decoded = atob(trimEndBy(text, /=/).replaceAll('-', '+').replaceAll('_', '/'));
    return /^[\x20-\x7e\s]{6,}$/.test(decoded) ? decoded : null;
  } catch {
    return null;
  }
}

/** The text with the value that an address carries, and the text with the address itself. */
export interface CarriedValue {
  readonly from: SourceText;
  readonly addressSource: SourceText | null;
}

/** Maximum number of characters searched for carried values; beyond it every address is treated as carrying one. */
const MAX_SEARCHED = 40_000_000;
/** Characters that are searched between two pauses. */
const SEARCHED_A_STEP = 1_000_000;

/**
 * Finds the first text of the conversation from which an address exfiltrates a value: the value occurs there and not in
 * the text of the address itself (`source`). If the address has no source, only values that are sensitive by their form
 * count, and only from data and the developer's texts. `beside`: values in other arguments of the call;
 * those that the user or the developer wrote (`ownTexts`) do not count.
 */
export function createCarriedFinder(
  texts: readonly SourceText[],
  ownTexts: () => Steps<readonly string[]>,
): (url: string, source: SourceText | null, beside: readonly Carried[]) => Steps<CarriedValue | null> {
  let folded: ReadonlyMap<SourceText, string> | null = null;
  let own: string | null = null;
  let left = MAX_SEARCHED;
  function* isOwn(text: string): Steps<boolean> {
    const written = own ?? (yield* ownTexts()).join('\n').toLowerCase();
    own = written;
    left -= written.length;
    return written.includes(text);
  }
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one search with one shared limit
  return function* (url, source, beside) {
    folded ??= yield* foldedTexts(texts);
    const isWritten = (): boolean => {
      const written = url.toLowerCase();
      left -= sumOf(texts);
      return [...folded!].some(([{ origin }, lower]) => origin !== 'model' && lower.includes(written));
    };
    let given: ReadonlySet<SourceText> | null = null;
    for (const { text, isSensitive, isBeside } of [...(yield* carriedIn(url)), ...beside]) {
      if (source === null && !isSensitive) continue;
      yield;
      if (given === null && left >= 0) {
        const found = yield* addressTexts(url, source, folded);
        given = found.texts;
        left -= found.searched;
      }
      left -= sumOf([...(given ?? [])]);
      if (left >= 0 && [...(given ?? [])].some((one) => folded!.get(one)!.includes(text))) continue;
      let searched = 0;
      for (const [one, lower] of folded) {
        searched += lower.length;
        if (searched > SEARCHED_A_STEP) yield;
        searched %= SEARCHED_A_STEP;
        if (one.origin === 'model' || given?.has(one) === true) continue;
        if (source === null && one.origin === 'user') continue;
        left -= lower.length;
        if (left < 0) return { from: one, addressSource: source };
        if (!lower.includes(text)) continue;
        if (isBeside && (yield* isOwn(text))) break;
        // The author of the complete address knows its contents.
        if (!isBeside && isWritten()) return null;
        return { from: one, addressSource: given?.values().next().value ?? null };
      }
    }
    return null;
  };
}

function* foldedTexts(texts: readonly SourceText[]): Steps<ReadonlyMap<SourceText, string>> {
  const folded = new Map<SourceText, string>();
  yield* pausing(texts, (one) => folded.set(one, one.text.toLowerCase()));
  return folded;
}

const sumOf = (texts: readonly SourceText[]): number => texts.reduce((sum, { text }) => sum + text.length, 0);

/**
 * Returns the texts that an address comes from: the untrusted texts that contain its longest prefix, else `source`,
 * which may only name its host, as an email address does.
 */
function* addressTexts(
  url: string,
  source: SourceText | null,
  folded: ReadonlyMap<SourceText, string>,
): Steps<{ readonly texts: ReadonlySet<SourceText>; readonly searched: number }> {
  if (source === null) return { texts: new Set(), searched: 0 };
  const [bare = ''] = url.toLowerCase().split(/[?#]/, 1);
  const steps = bare.split('/').slice(0, MAX_STEPS);
  let texts = [...folded.keys()].filter(({ origin }) => origin === 'untrusted');
  let [searched, isFound] = [0, false];
  // A longer prefix is searched only in texts with the shorter one.
  for (let end = url.includes('://') ? HOST_STEPS : 1; end <= steps.length; end++) {
    const written = steps.slice(0, end).join('/');
    const deeper = texts.filter((one) => folded.get(one)!.includes(written));
    yield;
    searched += sumOf(texts);
    if (deeper.length === 0) break;
    [texts, isFound] = [deeper, true];
  }
  return { texts: new Set(isFound ? texts : [source]), searched };
}

/** Segments of scheme and host, one without a scheme; deeper segments than the maximum are found by these. */
const HOST_STEPS = 3;
const MAX_STEPS = 8;
