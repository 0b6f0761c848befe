import type { DefinedTool } from '../providers/index.ts';
import { matchesTool, nameWords, parseContainer, trimBy } from '../text/index.ts';
import type { SourceText } from './types.ts';

const RECORDS =
  /^(?:contacts?|customers?|clients?|orders?|accounts?|calendars?|employees?|users?|members?|patients?|students?|suppliers?|vendors?|invoices?|bookings?|reservations?|leads?|crm|directory|addressbook|staff|tenants?|subscribers?|transactions?|balance|iban)$/;
/** Records that only the organization has. */
const OWN =
  /^(?:contacts?|customers?|orders?|calendars?|employees?|patients?|suppliers?|invoices?|crm|directory|addressbook|staff)$/;
const NO_RECORDS =
  /^(?:pages?|web|sites?|urls?|browser?|browse|e?mails?|inbox|messages?|documents?|docs?|files?|tickets?|issues?|comments?|repos?|repository|repositories|posts?|feeds?|news|search|reviews?|chats?|slack|threads?|notes?|attachments?|download|fetch|scrape|bash|shell|exec|execute|run|python|channels?|drive|wiki|pull)$/;

/** Whether a tool returns the organization's own records: as the project says, by its name, by an admin's MCP server. */
export function returnsRecords(
  toolName: string,
  definition: DefinedTool | undefined,
  recordTools: readonly string[],
): boolean {
  if (matchesTool(toolName, recordTools)) return true;
  if (definition?.isOpenWorld === true) return false;
  const words = nameWords(toolName);
  if (!words.some(isRecordWord)) return false;
  return !namesForeignTexts(toolName) || isOwnSearch(words);
}

/** `search_contacts`; strangers are found by `search_users`. */
function isOwnSearch(words: readonly string[]): boolean {
  const isForeign = (word: string): boolean => NO_RECORDS.test(word) && word !== 'search';
  return words.includes('search') && words.some((word) => OWN.test(word)) && !words.some(isForeign);
}

/** Whether a word in the name of a tool is a kind of record. */
export const isRecordWord = (word: string): boolean => RECORDS.test(word);

/** Whether a tool's name says that it returns pages, emails, documents or comments: what others wrote. */
export function namesForeignTexts(toolName: string): boolean {
  return nameWords(toolName).some((word) => NO_RECORDS.test(word));
}

const MAX_RECORDS = 20_000;

/**
 * The scalars of every innermost record of a text in which `isNamed` knows one: JSON objects, and rows of tables whose
 * cells are apart by commas, tabs, semicolons or bars. Longer texts in a record are no values.
 */
export function vouchedScalars(
  { text }: Pick<SourceText, 'text'>,
  isNamed: (scalar: string) => boolean,
): string[] {
  const vouched: string[] = [];
  for (const record of recordsIn(text)) {
    const scalars = record.filter((scalar) => scalar.length <= MAX_SCALAR);
    if (scalars.some(isNamed)) vouched.push(...scalars.filter(isOneValue));
  }
  return vouched;
}

const MAX_SCALAR = 200;
/** A value of its own, not words around one. */
const isOneValue = (scalar: string): boolean =>
  !/\s/.test(scalar) || !(/@|:\/\//.test(scalar) || scalar.split(/\s+/).length > 8);

function recordsIn(text: string): string[][] {
  const records: string[][] = [];
  const json = parseContainer(text);
  if (json !== null) objectsIn(records, json, 0);
  else
    for (const line of text.split('\n')) {
      const cells = line.split(/[,\t;|]/).map((cell) => trimBy(cell, /[\s"']/));
      if (cells.length > 1 && records.length < MAX_RECORDS) records.push(cells);
    }
  return records;
}

function objectsIn(records: string[][], value: object, depth: number): void {
  if (depth > 50 || records.length >= MAX_RECORDS) return;
  const scalars: string[] = [];
  for (const member of Object.values(value)) {
    if (typeof member === 'string' || typeof member === 'number') scalars.push(String(member));
    else if (Array.isArray(member) && member.every((item) => typeof item !== 'object'))
      scalars.push(...member.map(String));
    else if (typeof member === 'object' && member !== null) objectsIn(records, member, depth + 1);
  }
  if (!Array.isArray(value)) records.push(scalars);
}

/** Words that everybody writes: they name no record. */
const EVERYDAY = new Set(
  `the and for with from this that please send pay email mail message write tell ask make create new all any today
  tomorrow yesterday monday tuesday wednesday thursday friday saturday sunday january february march april may june
  july august september october november december name address phone account amount date time status type open closed
  active pending paid true false yes none null high low medium default customer order invoice meeting team office home
  work user admin manager total price check find get show list update delete add reply thanks hello dear hey can could
  would you what when where who how why okay sure let`.split(/\s+/),
);

/** With a capital, or as short as "van". */
const NAME_WORD = /^(?:\p{Lu}[\p{L}\p{M}.'’-]*|\p{Ll}{1,3})$/u;

/** Characters that are searched for scalars; beyond it none counts as named. */
const MAX_SEARCHED = 200_000_000;

/**
 * Whether a scalar is a name that a person wrote: as a whole, or by a word of it that is written with a capital. Field
 * names and everyday words name nothing.
 */
export function nameFinder(ownTexts: readonly string[]): (scalar: string) => boolean {
  const folded = ` ${ownTexts
    .join('\n')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}@.+-]+/gu, ' ')} `;
  const words = new Set(folded.split(' '));
  let left = MAX_SEARCHED;
  const isWritten = (phrase: string): boolean => {
    const [first = ''] = phrase.split(' ', 1);
    if (!words.has(first) && !words.has(`${first}.`)) return false;
    left -= folded.length;
    return left >= 0 && (folded.includes(` ${phrase} `) || folded.includes(` ${phrase}. `));
  };
  const capitals = new Set(ownTexts.flatMap((text) => text.match(/\p{Lu}[\p{L}\p{M}'’-]{2,40}/gu) ?? []));
  return (scalar) => {
    const trimmed = scalar.trim();
    if (trimmed.length < 3 || EVERYDAY.has(trimmed.toLowerCase())) return false;
    const phrase = trimmed
      .toLowerCase()
      .replace(/[^\p{L}\p{N}@.+-]+/gu, ' ')
      .trim();
    const isWord = /^\p{Ll}+$/u.test(trimmed) || /^\d{1,3}$/.test(trimmed);
    if (!isWord && phrase.length >= 3 && isWritten(phrase)) return true;
    const parts = trimmed.split(/\s+/);
    if (parts.length > 4 || !parts.every((word) => NAME_WORD.test(word))) return false;
    return parts.some((word) => capitals.has(word) && !EVERYDAY.has(word.toLowerCase()));
  };
}
