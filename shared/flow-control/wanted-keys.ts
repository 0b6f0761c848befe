import { isGuardedPath } from './argument-values.ts';
import { bareCommand, phraseOf } from './commands.ts';
import { lookOf } from './fold-text.ts';
import { nearWordsOf } from './near-words.ts';
import { foldersAbove, placesAbove } from './places.ts';
import { amountNeedle, digitsNeedle, type Needle, wordsNeedle } from './text-sketch.ts';
import type { ArgumentValue, ValueKind } from './types.ts';

/** One spelling of a value that is looked for in texts, and how. */
export interface Wanted {
  /** Of the value. */
  readonly index: number;
  readonly search: 'place' | 'email' | 'digits' | 'amount' | 'iban' | 'phrase' | 'near';
  readonly text: string;
  /** The search and the text. */
  readonly key: string;
  readonly needle: Needle;
  /** A host that texts name in letters that are not the Latin ones. */
  readonly isForeign: boolean;
}

const IBAN = /^[A-Z]{2}\d{2}[A-Z\d]{8,32}$/;
const BY_WORDS: ReadonlySet<ValueKind> = new Set(['channel', 'person', 'path']);
/** Options are written in more than one way. */
const phraseNeedle = (phrase: string): Needle => wordsNeedle(phrase.replace(/ -\S+/g, ''));
/** The word that has to stand as it is. */
const nearNeedle = (command: string): Needle => wordsNeedle(nearWordsOf(command)?.[0]?.[0] ?? '');
const NEEDLES = {
  ...{ place: wordsNeedle, email: wordsNeedle, phrase: phraseNeedle, near: nearNeedle },
  ...{ digits: digitsNeedle, iban: digitsNeedle, amount: amountNeedle },
} as const;

type Want = (search: Wanted['search'], ...texts: readonly string[]) => Wanted[];

function wantedPlaces(text: string, isOwn: boolean, want: Want): Wanted[] {
  // Of a storage service or a network address, which texts name as they are.
  if (!text.includes('.') || text.includes(':')) return want('phrase', text);
  // Of the user it vouches for nothing: `docs/` is a folder as well.
  const owner = isOwn ? undefined : CODE_OWNER.exec(text)?.[1];
  const places = want('place', ...(isOwn ? placesAbove(text) : looksOf(text)));
  return owner === undefined ? places : [...places, ...want('phrase', `${owner}/`)];
}

function wantedCommand(command: string, isOwn: boolean, want: Want): Wanted[] {
  // Who names the package wants it, in whichever version.
  const named = isOwn ? INSTALLED_VERSION.exec(command)?.[1] : undefined;
  if (named !== undefined) return want('phrase', named, phraseOf(command));
  const near = nearWordsOf(command) === null ? [] : want('near', command);
  return [...want('phrase', phraseOf(command)), ...near];
}

/** `isOwn`: in the user's texts, which vouch for what is below a domain or a folder that they name. */
export function wantedOf({ kind, text }: ArgumentValue, index: number, isOwn: boolean): Wanted[] {
  const want: Want = (search, ...texts) =>
    texts.map((one) => ({
      ...{ index, search, text: one, key: `${search} ${one}` },
      needle: NEEDLES[search](one),
      isForeign: one.includes('xn--'),
    }));
  if (kind === 'command') return wantedCommand(bareCommand(text), isOwn, want);
  if (BY_WORDS.has(kind)) return want('phrase', ...phrasesOf(kind, text, isOwn).map(phraseOf));
  if (kind === 'url' || kind === 'host') return wantedPlaces(text, isOwn, want);
  if (kind === 'email') {
    // Also in parts: `user kim, domain dark.example`.
    const parts = text.replace('@', ' ');
    const near = nearWordsOf(parts) === null ? [] : want('near', parts);
    return [...want('email', ...(isOwn ? [text] : looksOf(text))), ...near];
  }
  if (kind === 'amount') return want('amount', text);
  return wantedAccount(text, want);
}

/** Phones, accounts and wallets. */
function wantedAccount(text: string, want: Want): Wanted[] {
  if (/^\d{1,5}$/.test(text)) return want('phrase', text);
  // Phones, and accounts of digits alone: they stand anywhere in a run of digits.
  if (/^\d+$/.test(text)) return want('digits', text);
  if (IBAN.test(text)) return want('iban', text);
  // Wallets, and account numbers behind letters, which texts write apart or leave out.
  return /[a-z]/.test(text) ? want('phrase', text) : want('digits', text.replace(/\D/g, ''));
}

/** One package of a registry, with its version. */
const INSTALLED_VERSION =
  /^(?:npm|pnpm|yarn|pip3?|gem|cargo|brew) (?:i|install|add) ((?:@[\w.-]+\/)?[\w.-]+?)(?:@|==|~=)[\w.^~*-]+$/;

/** Texts name a repository without its host: `eve/tool`. */
const CODE_OWNER =
  /^(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org|huggingface\.co)\/([\w.-]{3,60})$/;

/** Of Windows, with the other slashes and without the last. */
function otherSlashes(path: string): string[] {
  if (!/^[a-z]:[\\/]/.test(path)) return [];
  const bare = path.replace(/[\\/]$/, '');
  return [bare.replaceAll('/', '\\'), bare.replaceAll('\\', '/')];
}

/** As people write it for their own. */
const IN_HOME = /^\/(?:home|users)\/[^/]+\//;
/** The home of another person, as a shell writes it. */
const HOME_OF = /^~([a-z][\w-]*)\//;
const SENSITIVE_TAIL = /\.(?:ssh|aws|gnupg|kube|git|config)[\\/].+$/;

/** A name, also with the family name first; a path, also by the folders above it or from its sensitive folder on. */
function phrasesOf(kind: ValueKind, text: string, isOwn: boolean): string[] {
  if (kind === 'person') {
    const [first, last, ...more] = text.split(' ');
    return last === undefined || more.length > 0 ? [text] : [text, `${last}, ${first}`];
  }
  if (kind !== 'path') return [text];
  const spellings = [...new Set([text, text.replace(IN_HOME, '~/'), ...otherSlashes(text)])];
  if (HOME_OF.test(text)) return [...spellings, text.replace(HOME_OF, '/home/$1/')];
  if (!isGuardedPath(text)) return isOwn ? [...spellings, ...foldersAbove(text)] : spellings;
  const [tail] = SENSITIVE_TAIL.exec(text) ?? [];
  return isOwn || tail === undefined ? spellings : [...spellings, tail];
}

/** An address, and what it looks like if that is another one. */
export function looksOf(address: string): readonly string[] {
  const look = lookOf(address);
  return look === address ? [address] : [address, look];
}
