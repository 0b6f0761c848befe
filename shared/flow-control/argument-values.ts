import { trimEndBy } from '../text/index.ts';
import type { ArgumentField } from './argument-fields.ts';
import { commandsIn, hostsIn } from './commands.ts';
import { asciiHost, foldText } from './fold-text.ts';
import { placeOf } from './places.ts';
import type { ArgumentValue, Effect, ValueKind } from './types.ts';

const URL_IN_TEXT = /\b[a-z][a-z\d+.-]{1,20}:\/\/[^\s"'`<>\\^{}|]+/gi;
const EMAIL_IN_TEXT = /[\p{L}\p{N}._%+'-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}[\p{L}\p{N}-]{2,24}/gu;
const PHONE = /^\s*(?:tel:)?\+?\(?\d(?:[ ().\-/]{0,3}\d){6,15}\s*$/;
const IBAN = /^[A-Z]{2}\d{2}[A-Z\d]{8,32}$/;
const ACCOUNT = /^[A-Z]{0,6}\d{6,34}$/;
/** Addresses of wallets. */
const WALLET = /^(?:0x[a-f\d]{40}|[13][a-km-zA-HJ-NP-Z1-9]{25,34}|bc1[a-z\d]{20,80})$/;
const AMOUNT = /^\D{0,5}\d[\d.,' ]{0,18}\D{0,5}$/;
const PERSON =
  /^(?=.*\p{L})@?[\p{L}\p{N}][\p{L}\p{M}\p{N}.'’_-]{0,40}(?: [\p{L}][\p{L}\p{M}.'’-]{0,40}){0,4}$/u;
const OUTSIDE_PATH =
  /^(?:~|\.\.[\\/]|[\\/](?:etc|root|usr|bin|boot|dev|proc|sys|var|lib)\b|[a-z]:\\(?:windows|users)\b)|(?:^|[\\/])(?:\.ssh|\.aws|\.gnupg|\.kube|\.bashrc|\.zshrc|\.profile|\.netrc|\.git[\\/]hooks|authorized_keys|crontab|id_rsa)/i;

/** Absolute, or out of the folder that the tool works in. */
const ABSOLUTE_PATH = /^(?:[\\/]|[a-z]:[\\/])[^\s\\/]|(?:^|[\\/])\.\.(?:[\\/]|$)/i;
const isOutside = (path: string): boolean => OUTSIDE_PATH.test(path) || ABSOLUTE_PATH.test(path);
/** A path that only its own name vouches for. */
export const isGuardedPath = (path: string): boolean => OUTSIDE_PATH.test(path);

/** Addresses in any text, with a scheme. */
export function urlsIn(text: string): string[] {
  return (text.match(URL_IN_TEXT) ?? []).map((url) => trimEndBy(url, /[.,;:!?)\]]/));
}

/** What an argument names that says where the effect goes or what it does. In words for a reader only addresses do. */
export function valuesIn(field: ArgumentField, effect: Effect): ArgumentValue[] {
  const text = foldText(field.text);
  const values = urlsIn(text).flatMap((url) => oneValue('url', placeOf(url)));
  if (field.class === 'text' && effect !== 'execute') return values;
  if (field.class === 'command' || effect === 'execute') return commandValues(text);
  const emails = emailsIn(text);
  const isWhole = emails.length > 0 && text.trim().length <= 320;
  if (field.class !== null || isWhole)
    values.push(...emails.map((email): ArgumentValue => ({ kind: 'email', text: email })));
  if (values.length > 0) return values;
  return alone({ ...field, text }, effect);
}

/** What a command or code does to others, and the addresses it does it with. */
function commandValues(text: string): ArgumentValue[] {
  const commands = commandsIn(text);
  if (commands.length === 0) return [];
  return [
    ...urlsIn(text).flatMap((url) => oneValue('url', placeOf(url))),
    ...hostsIn(text).flatMap((host) => oneValue('host', placeOf(host))),
    ...emailsIn(text).flatMap((email) => oneValue('host', placeOf(email))),
    ...commands.map((command): ArgumentValue => ({ kind: 'command', text: command })),
  ];
}

/** Of a text that is one value as a whole. */
function alone({ class: kind, text }: ArgumentField, effect: Effect): ArgumentValue[] {
  const compact = text.replace(/[\s.\-/]/g, '').toUpperCase();
  if (kind === 'amount') return effect === 'pay' ? oneValue('amount', amountOf(text)) : [];
  if (IBAN.test(compact)) return oneValue('account', compact);
  if (WALLET.test(text.trim())) return oneValue('account', text.trim().toLowerCase());
  if (kind === 'recipient' || /^\s*(?:\+|tel:)/.test(text)) {
    if (PHONE.test(text)) return oneValue('phone', phoneKey(text));
  }
  if (kind === 'path') return isOutside(text.trim()) ? oneValue('path', text.trim().toLowerCase()) : [];
  if (kind === 'recipient') {
    if (ACCOUNT.test(compact)) return oneValue('account', compact);
    if (/^[#@]/.test(text)) return oneValue('channel', text.slice(1).toLowerCase());
    return PERSON.test(text.trim()) ? oneValue('person', text.trim().toLowerCase()) : [];
  }
  return kind === 'address' || /^[\w-]+(?:\.[\w-]+)+\/\S*$/.test(text)
    ? oneValue('host', placeOf(text.trim()))
    : [];
}

/** In one spelling, its host as it is connected to. */
export function emailKey(email: string): string {
  const folded = email.normalize('NFKC').toLowerCase();
  const at = folded.lastIndexOf('@') + 1;
  return `${folded.slice(0, at)}${asciiHost(folded.slice(at))}`;
}

export function emailsIn(text: string): string[] {
  if (!text.includes('@')) return [];
  return (text.match(EMAIL_IN_TEXT) ?? []).map((email) => emailKey(email));
}

/** The last digits: with or without the code of a country. */
const phoneKey = (text: string): string => text.replace(/\D/g, '').slice(-9);

/** In digits and a point: `1.250,00 €` and `$1,250` are 1250; null: no amount. */
export function amountOf(text: string): string | null {
  if (!AMOUNT.test(text)) return null;
  const digits = trimEndBy(text.replace(/[^\d.,]/g, ''), /[.,]/);
  const [, whole = digits, fraction = ''] = /^(.*)[.,](\d{1,2})$/.exec(digits) ?? [];
  const amount = Number(`${whole.replace(/[.,]/g, '')}.${fraction || '0'}`);
  return Number.isFinite(amount) ? String(amount) : null;
}

function oneValue(kind: ValueKind, text: string | null): ArgumentValue[] {
  return text === null || text === '' ? [] : [{ kind, text }];
}
