import { isGuardedPath } from './argument-values.ts';
import { bareCommand, phraseOf } from './commands.ts';
import { foldAddress } from './fold-text.ts';
import { nearWordsOf } from './near-words.ts';
import { parentFolders, parentPlaces } from './places.ts';
import { amountNeedle, digitsNeedle, type Needle, wordsNeedle } from './text-sketch.ts';
import type { ArgumentValue, ValueKind } from './types.ts';

/** One normalized form of a searched value, and its kind of search. */
export interface SearchKey {
  /** Index of the value. */
  readonly index: number;
  readonly search: 'place' | 'email' | 'digits' | 'amount' | 'iban' | 'phrase' | 'near';
  readonly text: string;
  /** Search and text combined. */
  readonly key: string;
  readonly needle: Needle;
  /** True for a host that texts write in non-Latin letters. */
  readonly isForeign: boolean;
}

const IBAN = /^[A-Z]{2}\d{2}[A-Z\d]{8,32}$/;
const BY_WORDS: ReadonlySet<ValueKind> = new Set(['channel', 'person', 'path']);
/** Options are omitted, because they have several spellings. */
const phraseNeedle = (phrase: string): Needle => wordsNeedle(phrase.replace(/ -\S+/g, ''));
/** The word that must occur literally. */
const nearNeedle = (command: string): Needle => wordsNeedle(nearWordsOf(command)?.[0]?.[0] ?? '');
const NEEDLES = {
  ...{ place: wordsNeedle, email: wordsNeedle, phrase: phraseNeedle, near: nearNeedle },
  ...{ digits: digitsNeedle, iban: digitsNeedle, amount: amountNeedle },
} as const;

type Want = (search: SearchKey['search'], ...texts: readonly string[]) => SearchKey[];

function wantedPlaces(text: string, isOwn: boolean, want: Want): SearchKey[] {
  // A bucket of a storage service or a network address, which texts contain literally.
  if (!text.includes('.') || text.includes(':')) return want('phrase', text);
  // In the user's texts it vouches for nothing: `docs/` is also a folder.
  const owner = isOwn ? undefined : CODE_OWNER.exec(text)?.[1];
  const places = want('place', ...(isOwn ? parentPlaces(text) : foldedKeysOf(text)));
  return owner === undefined ? places : [...places, ...want('phrase', `${owner}/`)];
}

function wantedCommand(command: string, isOwn: boolean, want: Want): SearchKey[] {
  // A user who names the package accepts any version of it.
  const named = isOwn ? INSTALLED_VERSION.exec(command)?.[1] : undefined;
  if (named !== undefined) return want('phrase', named, phraseOf(command));
  const near = nearWordsOf(command) === null ? [] : want('near', command);
  return [...want('phrase', phraseOf(command)), ...near];
}

/** `isOwn`: for the user's texts, which also vouch for everything below a named domain or folder. */
export function searchKeysOf({ kind, text }: ArgumentValue, index: number, isOwn: boolean): SearchKey[] {
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
    // Also matches separate parts: `user kim, domain dark.example`.
    const parts = text.replace('@', ' ');
    const near = nearWordsOf(parts) === null ? [] : want('near', parts);
    return [...want('email', ...(isOwn ? [text] : reachedAs(text).flatMap(foldedKeysOf))), ...near];
  }
  if (kind === 'amount') return want('amount', text);
  return wantedAccount(text, want);
}

/** `eve+x@mail.evil.example` reaches whoever owns `eve@evil.example`: without the tag, and at each domain above. */
function reachedAs(email: string): readonly string[] {
  const at = email.lastIndexOf('@');
  const local = email.slice(0, at);
  const hosts = parentPlaces(email.slice(at + 1));
  return [...new Set([local, local.replace(/\+.*$/, '')])].flatMap((name) =>
    hosts.map((host) => `${name}@${host}`),
  );
}

/** Phones, accounts and wallets. */
function wantedAccount(text: string, want: Want): SearchKey[] {
  if (/^\d{1,5}$/.test(text)) return want('phrase', text);
  // Phones and numeric accounts may be part of a longer run of digits.
  if (/^\d+$/.test(text)) return want('digits', text);
  if (IBAN.test(text)) return want('iban', text);
  // Wallets, and account numbers with letters in front, which texts write separately or omit.
  return /[a-z]/.test(text) ? want('phrase', text) : want('digits', text.replace(/\D/g, ''));
}

/** A single registry package with its version. */
const INSTALLED_VERSION =
  /^(?:npm|pnpm|yarn|pip3?|gem|cargo|brew) (?:i|install|add) ((?:@[\w.-]+\/)?[\w.-]+?)(?:@|==|~=)[\w.^~*-]+$/;

/** Texts name a repository without its host: `eve/tool`. */
const CODE_OWNER =
  /^(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org|huggingface\.co)\/([\w.-]{3,60})$/;

/** Returns a Windows path with the other slashes and without the trailing one. */
function otherSlashes(path: string): string[] {
  if (!/^[a-z]:[\\/]/.test(path)) return [];
  const bare = path.replace(/[\\/]$/, '');
  return [bare.replaceAll('/', '\\'), bare.replaceAll('\\', '/')];
}

/** Home folders, which their owners abbreviate. */
const IN_HOME = /^\/(?:home|users)\/[^/]+\//;
/** Another user's home in shell notation. */
const HOME_OF = /^~([a-z][\w-]*)\//;
const SENSITIVE_TAIL = /\.(?:ssh|aws|gnupg|kube|git|config)[\\/].+$/;

/** Returns a name, also with the family name first; a path, also as its parent folders or sensitive suffix. */
function phrasesOf(kind: ValueKind, text: string, isOwn: boolean): string[] {
  if (kind === 'person') {
    const [first, last, ...more] = text.split(' ');
    return last === undefined || more.length > 0 ? [text] : [text, `${last}, ${first}`];
  }
  if (kind !== 'path') return [text];
  const spellings = [...new Set([text, text.replace(IN_HOME, '~/'), ...otherSlashes(text)])];
  if (HOME_OF.test(text)) return [...spellings, text.replace(HOME_OF, '/home/$1/')];
  if (!isGuardedPath(text)) return isOwn ? [...spellings, ...parentFolders(text)] : spellings;
  const [tail] = SENSITIVE_TAIL.exec(text) ?? [];
  return isOwn || tail === undefined ? spellings : [...spellings, tail];
}

/** Returns an address, and its Latin look-alike if that differs. */
export function foldedKeysOf(address: string): readonly string[] {
  const look = foldAddress(address);
  return look === address ? [address] : [address, look];
}
