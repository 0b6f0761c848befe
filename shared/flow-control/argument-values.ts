import { parse as parseHost } from 'tldts';
import { hasIbanCheckDigits } from '../detection/index.ts';
import { finish, pausing, type Steps, trimEndBy } from '../text/index.ts';
import type { ArgumentField } from './argument-fields.ts';
import { asRun, commandsIn, FILE_NAME, hostsIn, repositoriesIn } from './commands.ts';
import { asciiHost, foldText, foldTextInSteps } from './fold-text.ts';
import { placeOf } from './places.ts';
import type { ArgumentValue, Effect, ValueKind } from './types.ts';

const URL_IN_TEXT = /\b[a-z][a-z\d+.-]{1,20}:\/\/[^\s"'`<>\\^{}|]+/gi;
const EMAIL_IN_TEXT = /[\p{L}\p{N}._%+'-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}[\p{L}\p{N}-]{2,24}/gu;
const PHONE = /^\s*\+?\(?\d(?:[ ().\-/]{0,3}\d){6,15}\s*$/;
const IBAN = /^[A-Z]{2}\d{2}[A-Z\d]{8,32}$/;
const ACCOUNT = /^[A-Z]{0,6}\d{6,34}$/;
/** Wallet addresses: Ethereum, Bitcoin and similar, Lightning payment requests, and base58. */
const WALLET =
  /^(?:0x[a-f\d]{40}|(?:bc|ltc|tb)1[a-z\d]{20,80}|ln(?:bc|tb)\d{1,15}[munp]?1[a-z\d]{10,600}|(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[1-9A-HJ-NP-Za-km-z]{26,106})$/i;
/** Handles of a person or account in a service, with the characters before or around them. */
const HANDLE = /^(?:<[@#!&]{1,2}([\w|-]{2,80})>|[#@$]([^\s]{1,80}))$/;
/** Payment addresses look like email addresses without a domain. */
const PAYMENT_ADDRESS = /^[\w.+-]{2,64}@[a-z][a-z\d-]{1,40}$/i;
/** Contact schemes before a number or an address. */
const BY_WAY = /^\s*(?:tel|sms|sip|sips|mailto|whatsapp|signal|viber|imessage|xmpp|bitcoin|ethereum|iban):/i;
const AMOUNT = /^\D{0,5}\d[\d.,' ]{0,18}\D{0,5}$/;
const PERSON =
  /^(?=.*\p{L})@?[\p{L}\p{N}][\p{L}\p{M}\p{N}.'’_-]{0,40}(?: [\p{L}][\p{L}\p{M}.'’-]{0,40}){0,4}$/u;
/** Files in any folder that control access or run automatically. */
const ENTRY_PATH =
  /(?:^|[\\/])(?:\.ssh|\.aws|\.gnupg|\.kube|\.bashrc|\.zshrc|\.profile|\.netrc|\.git[\\/]hooks|authorized_keys|crontab|id_rsa)/i;
const SYSTEM_PATH =
  /^(?:~|\.\.[\\/]|[\\/](?:etc|root|usr|bin|boot|dev|proc|sys|var|lib)\b|[a-z]:\\(?:windows|users)\b)/i;

/** An absolute path, or one that leaves the tool's working folder. */
const ABSOLUTE_PATH = /^(?:[\\/]|[a-z]:[\\/])[^\s\\/]|(?:^|[\\/])\.\.(?:[\\/]|$)/i;
/** True for a path that is trusted only if it is named itself. */
export const isGuardedPath = (path: string): boolean => ENTRY_PATH.test(path) || SYSTEM_PATH.test(path);
export const isOutside = (path: string): boolean => isGuardedPath(path) || ABSOLUTE_PATH.test(path);

/** `www.` or `//` and a host, or a host with a path: an address to whoever opens it. */
const BARE_ADDRESS =
  /(?<![\p{L}\p{N}@./:\\_-])(?:\/\/|www\.)?((?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}(\p{L}{2,24}|xn--[a-z\d-]{2,30}))(?![\p{L}\p{N}.@-])(?::\d{1,5})?(?:[/?#][^\s"'`<>\\^{}|]*)?/giu;

/** Returns the addresses in any text, with a scheme or without: `www.…`, `//host`, `host/path`. */
export function* urlsIn(text: string): Steps<string[]> {
  const found: string[] = [];
  for (const piece of piecesOf(text)) {
    for (const url of [...(piece.match(URL_IN_TEXT) ?? []), ...bareAddressesIn(piece)])
      found.push(trimEndBy(url, /[.,;:!?)\]]/));
    yield;
  }
  return found;
}

/** Read between two pauses. UTF-16 units. */
const PIECE = 16_384;
const MAX_ADDRESS = 8_192;

/** Yields a text in parts that take little time to read, and cuts no word but a very long one. */
export function* piecesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const least = Math.min(text.length, start + PIECE);
    const blank = text.slice(least, least + MAX_ADDRESS).search(/\s/);
    const end = least + Math.max(0, blank);
    yield text.slice(start, end);
    start = end;
  }
}

/** True if the whole text is an address. */
export function isAddress(text: string): boolean {
  const trimmed = text.trim();
  return trimmed.length <= MAX_ADDRESS && (finish(urlsIn(trimmed))[0] === trimmed || isHost(text));
}

function* bareAddressesIn(text: string): Generator<string> {
  if (!text.includes('.')) return;
  for (const [address, host = ''] of text.matchAll(BARE_ADDRESS)) {
    const bare = address.replace(/^\/\//, '');
    const isMarked = bare !== address || /^www\./i.test(address);
    const isOne = isMarked || (/[/?#]/.test(bare) && hasRegisteredSuffix(host));
    if (isOne && !FILE_NAME.test(host)) yield bare;
  }
}

/** `example` is reserved for documents, which agents read, too. */
function hasRegisteredSuffix(host: string): boolean {
  return /\.example$/i.test(host) || parseHost(host).isIcann === true;
}

/** A comment in an email address, which mail servers ignore: `eve(x)@evil.example`. */
const EMAIL_COMMENT =
  /(?<=[\w.+-])\([^()@\s]{0,60}\)(?=@)|(?<=@(?:[\w-]{1,63}\.){0,4})\([^()@\s]{0,60}\)(?=[\w-])/g;

/** Returns the values of an argument that direct the effect: its target or action. In prose only addresses count. */
export function* valuesIn(field: ArgumentField, effect: Effect): Steps<ArgumentValue[]> {
  const text = (yield* foldTextInSteps(field.text)).replace(EMAIL_COMMENT, '');
  const values: ArgumentValue[] = [];
  yield* pausing(yield* urlsIn(text), (url) => values.push(...oneValue('url', placeOf(url))));
  if (field.class === 'text' && effect !== 'execute') {
    // A record's content can be just a host: that is not prose.
    if (isHost(text)) return oneValue('host', placeOf(text.trim()));
    return [...values, ...repositoriesIn(text).flatMap((address) => oneValue('host', placeOf(address)))];
  }
  if (field.class === 'command' || effect === 'execute') return yield* commandValues(text);
  const emails = yield* emailsInSteps(text);
  const isWhole = emails.length > 0 && text.trim().length <= 320;
  if (field.class !== null || isWhole)
    for (const email of emails) values.push({ kind: 'email', text: email });
  if (values.length > 0) return values;
  return alone({ ...field, text }, effect);
}

/** Returns the commands in a text that affect others, and the addresses they use. */
function* commandValues(given: string): Steps<ArgumentValue[]> {
  const text = asRun(given);
  const commands = yield* commandsIn(text);
  if (commands.length === 0) return [];
  const values: ArgumentValue[] = [];
  yield* pausing(yield* urlsIn(text), (url) => values.push(...oneValue('url', placeOf(url))));
  yield* pausing(hostsIn(text), (host) => values.push(...oneValue('host', placeOf(host))));
  // `name@1.2.3` is a package with its version.
  yield* pausing(yield* emailsInSteps(text), (email) => {
    if (!/\d$/.test(email)) values.push(...oneValue('host', placeOf(email)));
  });
  for (const command of commands) values.push({ kind: 'command', text: command });
  return values;
}

/** True if the whole text addresses a person or an account, whatever the parameter's name. */
export function namesRecipient(text: string): boolean {
  const trimmed = foldText(text.slice(0, MAX_RECIPIENT)).trim();
  if (trimmed.length === 0 || text.length >= MAX_RECIPIENT) return false;
  return (
    EMAIL.test(trimmed) ||
    (trimmed.startsWith('+') && PHONE.test(trimmed)) ||
    isIban(trimmed.replace(/[ -]/g, '').toUpperCase())
  );
}

/** Requires valid check digits: an id can look like an IBAN. */
function isIban(text: string): boolean {
  return IBAN.test(text) && hasIbanCheckDigits(text);
}

const MAX_RECIPIENT = 320;
const EMAIL = new RegExp(`^${EMAIL_IN_TEXT.source}$`, 'u');

/** Returns the value of a text that is one value as a whole. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the kinds of value, in order of precedence
function alone({ class: named, text: given, path }: ArgumentField, effect: Effect): ArgumentValue[] {
  const text = given.replace(BY_WAY, '').trim();
  const kind = named === 'path' && isDestination(path, text, effect) ? 'recipient' : named;
  const compact = text.replace(/[\s.\-/]/g, '').toUpperCase();
  if (kind === 'amount' && amountOf(text) !== null)
    return effect === 'pay' ? oneValue('amount', amountAt(path, text)) : [];
  if (kind === 'recipient' && /^[~/\\]/.test(text) && isOutside(text))
    return oneValue('path', text.toLowerCase());
  const account = accountIn(text, compact);
  if (account !== undefined) return oneValue('account', account);
  if (PHONE.test(text) && (kind === 'recipient' || isCalled(path, text, effect)))
    return oneValue('phone', phoneKey(text));
  if (kind === null && effect === 'delete' && isOutside(text)) return oneValue('path', text.toLowerCase());
  if (kind === 'path') return pathValue(text);
  if (kind === 'recipient' || isHandle(kind, path, text, effect)) return recipient(text, compact, effect);
  const host = hostIn(path, text, effect);
  if (host !== undefined) return oneValue('host', host);
  // A field that is named like a value but is not an amount can be an address, such as that of a DNS record.
  const isAddress = kind === 'address' || kind === 'amount' || HOST_AND_PATH.test(text);
  return isAddress ? oneValue('host', placeOf(text)) : [];
}

const HOST_AND_PATH = /^[\w-]+(?:\.[\w-]+)+\/\S*$/;

const isCalled = (path: string, text: string, effect: Effect): boolean =>
  text.startsWith('+') || (effect === 'send' && NUMBER_FIELD.test(path));

function pathValue(text: string): ArgumentValue[] {
  if (isHost(text)) return oneValue('host', placeOf(text));
  return isOutside(text) ? oneValue('path', text.toLowerCase()) : [];
}

/** Returns accounts that are recognized by their form alone. `compact`: in upper case, without separators. */
function accountIn(text: string, compact: string): string | undefined {
  if (IBAN.test(compact)) return compact;
  const [, publicKey] = PUBLIC_KEY.exec(text) ?? [];
  if (publicKey !== undefined) return publicKey.toLowerCase();
  return WALLET.test(text) ? text.toLowerCase() : undefined;
}

/** Reads a field that names a recipient. */
function recipient(text: string, compact: string, effect: Effect): ArgumentValue[] {
  if (ACCOUNT.test(compact)) return oneValue('account', compact);
  if (SHORT_PHONE.test(text) && effect === 'send') return oneValue('phone', text);
  if (PAYMENT_ADDRESS.test(text)) return oneValue('email', text.toLowerCase());
  const [, mention, handle] = HANDLE.exec(text) ?? [];
  if (mention !== undefined || handle !== undefined)
    return oneValue('channel', (mention ?? handle)!.toLowerCase());
  const name = personIn(text);
  if (name !== undefined) return oneValue('person', name.toLowerCase());
  return RESOURCE.test(text) ? oneValue('account', text.toLowerCase()) : [];
}

/** Returns a repository, storage bucket or network host. undefined: none of them; null: one without a host. */
function hostIn(path: string, text: string, effect: Effect): string | null | undefined {
  if (REPOSITORY_FIELD.test(path) && /^[\w.-]+\/[\w.-]+$/.test(text)) return text.toLowerCase();
  if (BUCKET_FIELD.test(path) && effect !== 'execute' && PERSON.test(text))
    return placeOf(text) ?? text.toLowerCase();
  const [, networkHost] = NETWORK_PATH.exec(text) ?? [];
  return networkHost === undefined ? undefined : placeOf(networkHost);
}

/** Names of roles, projects and rooms: `arn:aws:iam::1:role/x`. */
const RESOURCE = /^(?=.*[\d:])[\w:/.@+=!#-]{8,200}$/;
/** Accepts a name alone, with the family name first, or before an address: `Ada Vey, 9 Quay St, Leith`. */
const personIn = (text: string): string | undefined => {
  const [, family, given] = FAMILY_FIRST.exec(text) ?? [];
  if (given !== undefined && PERSON.test(`${given} ${family}`)) return `${given} ${family}`;
  const [first = ''] = text.split(',', 1);
  const isAddressed = first !== text && first.includes(' ') && /\d/.test(text);
  const name = isAddressed ? first.trim() : text;
  return PERSON.test(name) ? name.replace(/^@/, '') : undefined;
};
const FAMILY_FIRST = /^([^,\d]{2,40}), ?([^,\d]{2,40})$/;
/** True if the whole text is a host, and not a file. */
export const isHost = (text: string): boolean =>
  /^\s*[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}\s*$/.test(text) &&
  /[a-z]/i.test(text) &&
  !FILE_NAME.test(text.trim());

/** True for a channel or person in an unclassified field, recognized by its leading character. */
const isHandle = (kind: ArgumentField['class'], path: string, text: string, effect: Effect): boolean =>
  kind === null &&
  (effect === 'send' || effect === 'publish' || effect === 'pay' || effect === 'share') &&
  !OWN_ID.test(path) &&
  HANDLE.test(text);
/** Identifiers of orders, tickets and similar are not accounts by themselves. */
const OWN_ID =
  /(?:order|reservation|booking|payment|transaction|invoice|ticket|case|issue|item|product|sku|flight|document|file|event|task|coupon|promo|voucher|quote|contract|record|report|id|ids|ref|reference|key|hash|sha|token|etag|cursor|version|date|time|at|start|end|from|until|due|day|month|year|number|index|page|size|format|type|code)(?:\/\d{1,6})?$/i;

/** SSH public keys: the owner of the private key gains access. */
const PUBLIC_KEY = /^(?:ssh|ecdsa|sk-ssh)-[\w@.-]{2,60} (AAAA[\w+/]{20,2000})/;
const SHORT_PHONE = /^\d{4,5}$/;
/** `\\\\host\\share` */
const NETWORK_PATH = /^\\\\([^\\/]{1,253})\\/;
const NUMBER_FIELD = /number$/i;
const REPOSITORY_FIELD = /(?:repo|repository|fork|upstream|origin)$/i;
const BUCKET_FIELD = /bucket[^/]{0,10}$/i;

/** True if the field directs money or a message, although its name could also mean the target of a file. */
const isDestination = (path: string, text: string, effect: Effect): boolean =>
  (effect === 'pay' || effect === 'send' || effect === 'share') &&
  /(?:dest|destination|target)$/i.test(path) &&
  !/[\\/]/.test(text);

/** Amounts in cents are converted to whole units. */
function amountAt(path: string, text: string): string | null {
  const amount = amountOf(text);
  return amount !== null && /(?:cents|centimes|minor_?units?)$/i.test(path)
    ? String(Number(amount) / 100)
    : amount;
}

/** Normalizes the address; its host is converted to ASCII as for a connection. */
export function emailKey(email: string): string {
  const folded = email.normalize('NFKC').toLowerCase();
  const at = folded.lastIndexOf('@') + 1;
  return `${folded.slice(0, at)}${asciiHost(folded.slice(at))}`;
}

export function emailsIn(text: string): string[] {
  return finish(emailsInSteps(text));
}

function* emailsInSteps(text: string): Steps<string[]> {
  const emails: string[] = [];
  if (text.includes('@'))
    yield* pausing(text.match(EMAIL_IN_TEXT) ?? [], (email) => emails.push(emailKey(email)));
  return emails;
}

/** Compares the last digits only, with or without a country code. */
const phoneKey = (text: string): string => text.replace(/\D/g, '').slice(-9);

/** Returns digits with a decimal point: `1.250,00 €` and `$1,250` are 1250 each; null: not an amount. */
export function amountOf(text: string): string | null {
  // Fast path: most amounts are plain digits, and texts can have thousands.
  if (/^\d{1,15}$/.test(text)) return String(Number(text));
  if (!AMOUNT.test(text)) return null;
  const digits = text.replace(/[^\d.,]/g, '').replace(/[.,]{1,20}$/, '');
  const [, whole = digits, fraction = ''] = /^(.*)[.,](\d{1,2})$/.exec(digits) ?? [];
  const amount = Number(`${whole.replace(/[.,]/g, '')}.${fraction || '0'}`);
  return Number.isFinite(amount) ? String(amount) : null;
}

function oneValue(kind: ValueKind, text: string | null): ArgumentValue[] {
  return text === null || text === '' ? [] : [{ kind, text }];
}
