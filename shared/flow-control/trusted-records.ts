import type { DefinedTool } from '../providers/index.ts';
import { bareToolName, matchesTool, nameWords, parseContainer, pausing, type Steps } from '../text/index.ts';
import { readRecords } from './read-records.ts';
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

/** Records between two pauses. */
const RECORDS_A_STEP = 16;

/**
 * Returns the scalars of every innermost record of a text in which `isNamed` knows one. Longer texts in a record are not
 * values, and of several addresses of one kind only those in the main field are.
 */
export function* scalarsInNamedRecords(
  { text }: Pick<SourceText, 'text'>,
  isNamed: (scalar: string) => boolean,
): Steps<string[]> {
  const vouched: string[] = [];
  yield* pausing(
    yield* readRecords(text),
    (record) => {
      const fields = record.filter((field) => field.text.length <= MAX_SCALAR);
      if (!fields.some((field) => isNamed(field.text))) return;
      const hasMain = fields.some(({ name, text: scalar }) => scalar.includes('@') && !isBeside(name));
      for (const field of fields)
        if (isOneValue(field.text) && !(hasMain && field.text.includes('@') && isBeside(field.name)))
          vouched.push(field.text);
    },
    RECORDS_A_STEP,
  );
  return vouched;
}

const MAX_SCALAR = 200;
/** Fields beside the main one, which others fill in: `alt_email`, `reply_to`. */
const BESIDE =
  /^(?:alt|alternate|alternative|secondary|second|backup|other|new|updated?|forward|forwarding|reply|cc|bcc|note|notes|comment|comments|description|extra|temp|temporary)$/;
const isBeside = (name: string | null): boolean =>
  name !== null && nameWords(name).some((word) => BESIDE.test(word));

/** True for a single value, not prose that contains one. */
const isOneValue = (scalar: string): boolean =>
  !/\s/.test(scalar) || !(/@|:\/\//.test(scalar) || scalar.split(/\s+/).length > 8);

/** Tools that return who the user is. */
const PROFILE =
  /^(?:whoami|me|profile|(?:get|show|read|fetch|view)(?: the)?(?: my| own| current| logged in)?(?: user| account)? ?(?:profile|me|whoami|identity|account (?:info|details)|user info(?:rmation)?|current user|user details))$/;
/** Tools that list who is in the workspace of the user, and its channels. */
const MEMBERS =
  /^(?:(?:get|list|show|read|fetch) (?:all )?(?:workspace |team |slack |organization |org |company )?(?:channels|members|colleagues|employees|staff|team(?:mates| members)?)|(?:get|list|show) (?:users|members) in (?:the )?(?:channel|workspace|team))$/;

/** Returns whether a tool returns what belongs to the user or their workspace: null: neither. */
export function ownListOf(toolName: string): 'profile' | 'members' | null {
  const words = nameWords(bareToolName(toolName)).join(' ');
  if (PROFILE.test(words)) return 'profile';
  return MEMBERS.test(words) ? 'members' : null;
}

/** Returns the single values of all records. */
export function* scalarsOfRecords(text: string): Steps<string[]> {
  const records = yield* readRecords(text);
  return records.flatMap((record) =>
    record.flatMap((field) =>
      field.text.length <= MAX_SCALAR && isOneValue(field.text) ? [field.text] : [],
    ),
  );
}

const GUEST = /\b(?:guest|external|outside|invited|partner|vendor|contractor)\b/i;

/** Returns the members and channels of a list, without guests. */
export function* membersIn(text: string): Steps<string[]> {
  const list = parseContainer(text);
  if (Array.isArray(list) && list.every((item) => typeof item === 'string'))
    return list.filter((item) => isOneValue(item));
  const insiders: string[] = [];
  for (const record of yield* readRecords(text)) {
    const isGuest = record.some(({ name, text: value }) =>
      GUEST.test(nameWords(name ?? '').join(' '))
        ? !/^(?:false|no|0|null|)$/i.test(value)
        : GUEST.test(value),
    );
    if (!isGuest) for (const { text: value } of record) if (isOneValue(value)) insiders.push(value);
  }
  return insiders;
}
