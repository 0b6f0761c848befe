import type { DefinedTool } from '../providers/index.ts';
import { matchesTool, nameWords, parseContainer, pausing, type Steps, trimBy } from '../text/index.ts';
import type { SourceText } from './types.ts';

const RECORDS =
  /^(?:contacts?|customers?|clients?|orders?|accounts?|calendars?|employees?|users?|members?|patients?|students?|suppliers?|vendors?|invoices?|bills?|bookings?|reservations?|leads?|crm|directory|addressbook|people|persons?|colleagues?|staff|tenants?|subscribers?|payees?|beneficiar(?:y|ies)|transactions?|balance|iban)$/;
/** Words for records in other languages, by their prefixes. */
const RECORDS_ELSEWHERE =
  /(?<!\p{L})(?:kontakt|kunden|bestellung|mitarbeiter|lieferant|rechnung|empf(?:ä|ae)nger|adressbuch|contato|contacto|contatt|cliente|client(?:s|e|es)?(?!\p{L})|commande|fournisseur|annuaire|bénéficiaire|beneficiari|pedido|proveedor|empleado|funcion[aá]rio|fornecedor|dipendent|fornitor|rubrica|zam[oó]wien|klient|pracownik|dostawc|odbiorc|kund(?!\p{L})|leverant|katalog|anst[aä]lld|klant|bestelling|medewerker|контакт|клиент|заказ|сотрудник|поставщик|получател|kişi|rehber|müşteri|sipariş|連絡先|顧客|注文|社員|联系人|客户|订单|员工|通讯录|연락처|고객|주문|직원|جهات_?الاتصال|العملاء)/iu;
/** Directories of the organization's chat, which list users and channels, not messages. */
const CHAT_DIRECTORY =
  /^(?=.*\b(?:slack|teams|mattermost)\b)(?=.*\b(?:list|get|find|lookup|search)\b)(?=.*\b(?:users?|members?|channels?|profiles?)\b)(?!.*\b(?:messages?|history|threads?|repl(?:y|ies)|posts?|files?)\b)|^(?:list|get) (?:all )?channels$/;
/** Records that only the organization has. */
const OWN =
  /^(?:contacts?|customers?|orders?|calendars?|employees?|patients?|suppliers?|invoices?|crm|directory|addressbook|staff)$/;
const NO_RECORDS =
  /^(?:pages?|web|sites?|urls?|browser?|browse|e?mails?|inbox|messages?|documents?|docs?|files?|tickets?|issues?|comments?|repos?|repository|repositories|posts?|feeds?|news|search|reviews?|chats?|slack|threads?|notes?|attachments?|download|fetch|scrape|bash|shell|exec|execute|run|python|channels?|drive|wiki|pull)$/;

/** True if a tool returns the organization's own records: by the project, its name, or an admin's MCP server. */
export function returnsRecords(
  toolName: string,
  definition: DefinedTool | undefined,
  recordTools: readonly string[],
): boolean {
  if (matchesTool(toolName, recordTools)) return true;
  if (definition?.isOpenWorld === true) return false;
  const words = nameWords(toolName);
  if (CHAT_DIRECTORY.test(words.join(' '))) return true;
  if (!words.some(isRecordWord) && !RECORDS_ELSEWHERE.test(toolName.replaceAll('_', ' '))) return false;
  return !namesForeignTexts(toolName) || isOwnSearch(words);
}

/** True for `search_contacts`, but not for `search_users`, which finds strangers. */
function isOwnSearch(words: readonly string[]): boolean {
  const isForeign = (word: string): boolean => NO_RECORDS.test(word) && word !== 'search';
  return words.includes('search') && words.some((word) => OWN.test(word)) && !words.some(isForeign);
}

/** True if a word in a tool's name is a kind of record. */
export const isRecordWord = (word: string): boolean => RECORDS.test(word);

/** True if a tool's name shows that it returns pages, emails, documents or comments, which others wrote. */
export function namesForeignTexts(toolName: string): boolean {
  return nameWords(toolName).some((word) => NO_RECORDS.test(word));
}

const MAX_RECORDS = 20_000;
/** Records between two pauses. */
const RECORDS_A_STEP = 16;

/**
 * Returns the scalars of every innermost record of a text in which `isNamed` knows one: JSON objects, and table rows
 * with cells separated by commas, tabs, semicolons or bars. Longer texts in a record are not values.
 */
export function* scalarsInNamedRecords(
  { text }: Pick<SourceText, 'text'>,
  isNamed: (scalar: string) => boolean,
): Steps<string[]> {
  const vouched: string[] = [];
  yield* pausing(
    yield* recordsIn(text),
    (record) => {
      const scalars = record.filter((scalar) => scalar.length <= MAX_SCALAR);
      if (scalars.some(isNamed)) for (const scalar of scalars) if (isOneValue(scalar)) vouched.push(scalar);
    },
    RECORDS_A_STEP,
  );
  return vouched;
}

const MAX_SCALAR = 200;
/** True for a single value, not prose that contains one. */
const isOneValue = (scalar: string): boolean =>
  !/\s/.test(scalar) || !(/@|:\/\//.test(scalar) || scalar.split(/\s+/).length > 8);

function* recordsIn(text: string): Steps<string[][]> {
  const records: string[][] = [];
  const json = parseContainer(text);
  if (json !== null) yield* objectsIn(records, json, 0);
  else
    yield* pausing(text.split('\n'), (line) => {
      const cells = line.split(/[,\t;|]/).map((cell) => trimBy(cell, /[\s"']/));
      if (cells.length > 1 && records.length < MAX_RECORDS) records.push(cells);
    });
  return records;
}

function* objectsIn(records: string[][], value: object, depth: number): Steps<void> {
  if (depth > 50 || records.length >= MAX_RECORDS) return;
  const scalars: string[] = [];
  const add = (scalar: unknown): void => void scalars.push(String(scalar));
  for (const member of Object.values(value)) {
    if (typeof member === 'string' || typeof member === 'number') add(member);
    else if (Array.isArray(member) && member.every((item) => typeof item !== 'object')) member.forEach(add);
    else if (typeof member === 'object' && member !== null) yield* objectsIn(records, member, depth + 1);
  }
  if (Array.isArray(value)) return;
  records.push(scalars);
  yield;
}
