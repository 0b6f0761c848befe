/** Patterns for the words around a number that name it. They run on at most 48 lowercase characters. */
export const MAX_LEAD = 48;

export const PHONE_BEFORE =
  /(?:(?<!\bi)phone|\btel\b|telephone|(?<!tool |function |api )\bcall(?:ed|s|ing)?\b|mobile|\bcell\b|cellular|\bfax\b|whats ?app|signal|viber|\bsms\b|\btext(?:ed)?\b(?!["'])|contact|reach|\bdial|\bring\b|hotline|helpline|answering|(?:my|his|her|their|our|new) number|office|\bext\b|\btel[:.]|telef|handy|rufnummer|portable|movil|móvil|celular|cellulare|numero|número|numéro|nummer|телефон|\bтел\b|тел\.|звон|номер|电话|電話|手机|手機|携帯|전화|휴대폰|연락처|هاتف|جوال|موبايل|फ़?ोन|फोन|मोबाइल|điện thoại|dien thoai|telepon|ponsel|\bhp\b|telefonu|numer|r?appel(?:le|er|ez)\b|joindre|joignable|anruf|erreich|llám|llama(?:r|me)\b|chiama(?:mi|re|te)\b|lig(?:a|ue) para)[^\d]{0,32}$/;
export const PHONE_AFTER =
  /^\s{0,2}[-(,:\\]{0,2}\s{0,2}(?:phone|tel|mobile|cell|fax|office|home|work|whatsapp)\b/;
export const SSN_BEFORE = /(?:\bssn\b|social\s?sec|soc\.? sec|\bss ?#|\bss ?(?:no|num)|s\.s\.n)[^\d]{0,24}$/;
export const CARD_BEFORE =
  /(?:card|visa|master|amex|american express|maestro|discover|diners|jcb|unionpay|\bcc\b|\bpan\b|debit|credit|karte|tarjeta|carte|cartão|carta|карт|卡|カード|카드)[^\d]{0,40}$/;
/** Words for numbers that belong to things, not to people. */
export const THING_BEFORE =
  /(?:order|invoice|ticket|tracking|shipment|parcel|\bref(?:erence)?\b|\bid\b|_id|identifier|isbn|issn|\bean\b|\bupc\b|\bsku\b|serial|part|model|batch|lot|case|claim|policy|\bpo\b|version|\bver\b|build|commit|port|page|section|chapter|\brow\b|line|offset|timestamp|epoch|hash|checksum|uuid|guid|zip|postal|postcode|code|pin|licen[cs]e|passport|iban|routing|swift|\bacct\b|account|number of|population|total|amount|price|cost|sum|range|score|date|year|time|\bat\b|transaction|\btxn\b|confirmation|booking|patent|rfc|cve|bug|issue|pull request|size|length|width|height|seed|\$|€|£|¥|₹)[^\w\d]{0,4}(?:(?:number|no|num|nr|is|was|id|code)[^\w\d]{0,4}){0,2}$/;

export function before(text: string, start: number): string {
  return text.slice(Math.max(0, start - MAX_LEAD), start).toLowerCase();
}

/**
 * Returns the same, but only after the last digit or the mask of a number, because none of these expressions reaches
 * beyond one.
 */
export function leadOf(text: string, codes: Uint16Array, start: number): string {
  const least = Math.max(0, start - MAX_LEAD);
  let from = start;
  while (from > least) {
    const code = codes[--from]!;
    if (code >= 48 && code <= 57) break;
    if (code === BRACKET && NUMBER_MASK.test(text.slice(Math.max(0, from - MASK_LENGTH), from + 1))) break;
  }
  return text.slice(from, start).toLowerCase();
}

const BRACKET = 93;
const NUMBER_MASK = /\[(?:PHONE|SSN|CREDIT_CARD|API_KEY|IP_ADDRESS|IBAN|NATIONAL_ID|PASSPORT)\]$/;
const MASK_LENGTH = '[CREDIT_CARD'.length;

export function after(text: string, end: number): string {
  return text.slice(end, end + 16).toLowerCase();
}
