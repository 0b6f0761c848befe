import type { PiiSpan } from '../spans.ts';
import { mayBegin, mayEnd, type OptInRow } from './opt-in-row.ts';

/** A word, a word with a capital, and up to so many of them. */
const WORD = "[\\p{L}\\d][\\p{L}\\d'’.-]{0,24}";
const NAME = "\\p{Lu}[\\p{L}'’.-]{0,24}";
const words = (least: number, most: number) => `${WORD}(?: ${WORD}){${least - 1},${most - 1}}`;
const names = (least: number, most: number) => `${NAME}(?: ${NAME}){${least - 1},${most - 1}}`;
/** Between two lines of an address. */
const BREAK = '(?:, ?|\\s{0,2}\\n|\\\\n)';
const CITY_WORD = "\\p{Lu}['’]?\\p{Ll}[\\p{L}'’-]{0,24}";
const CITY = `${CITY_WORD}(?: (?:(?:am|an der|upon|de|do|da|la|del|der|den|sur) )?${CITY_WORD}){0,3}`;
const NUMBER = '\\d{1,5}(?: ?[a-zA-Z](?![\\p{L}\\d]))?';

const ENGLISH_STREET =
  '(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Court|Ct|Terrace|Loop|Way|Place|Pl|Boulevard|Blvd|Square|Sq|Close|Crescent|Parkway|Pkwy|Highway|Hwy|Row|Gardens|Grove|Hill|Mews|Walk|Circle|Trail|Plaza)';
const UNIT = '(?:, (?:Apt|Apartment|Flat|Suite|Ste|Unit|Floor|#)\\.? ?\\w{1,6})?';
const UK_POSTCODE = '[A-Z]{1,2}\\d[A-Z\\d]? ?\\d[A-Z]{2}';

/** As each country writes them: number, street, and a postcode or a city. */
const FORMS: readonly string[] = [
  // a state and its code, a postcode, or a district of Dublin behind the city
  `${NUMBER} (?:${names(1, 4)}) ${ENGLISH_STREET}\\b\\.?(?: (?:NW|NE|SW|SE|N|S|E|W)\\b)?${UNIT}${BREAK}${CITY}(?:,? (?:[A-Z]{2},? \\d{5}(?:-\\d{4})?|${UK_POSTCODE}|\\d{1,5})(?![\\p{L}\\d]))?`,
  // German
  `(?:\\p{Lu}[\\p{L}.-]{0,30}?(?:stra(?:ß|ss)e|str\\.|weg|gasse|platz|allee|ring|ufer|damm|chaussee|markt)|(?:Am|Im|Zum|Zur|An der|Auf der|In der|Unter den) \\p{Lu}[\\p{L}-]{1,24}) \\d{1,4} ?[a-z]?${BREAK}\\d{4,5} ${CITY}`,
  // French
  `\\d{1,4}(?: (?:bis|ter))?,? (?:rue|avenue|av\\.|boulevard|bd|place|chemin|impasse|allée|quai|cours|route|square) (?:${words(1, 6)})${BREAK}\\d{5} ${CITY}`,
  // Spanish
  `(?:Calle|C/|Avenida|Avda\\.?|Paseo|Plaza|Camino|Carretera|Ronda) (?:${words(1, 5)}),? (?:n[º°.] ?)?\\d{1,4}(?:, ?\\d{1,2}[º°]? ?[A-Z]?)?${BREAK}\\d{5} ${CITY}`,
  // Italian
  `(?:Via|Viale|Corso|Piazza|Piazzale|Largo|Vicolo|Strada) (?:${words(1, 5)}),? \\d{1,4}[a-z]?${BREAK}\\d{5} ${CITY}`,
  // Dutch
  `(?:\\p{Lu}[\\p{L}-]{0,30}?(?:straat|gracht|weg|laan|plein|kade|singel|dijk|hof|steeg)|Laan van ${NAME}) \\d{1,4} ?[a-z]?${BREAK}\\d{4} ?[A-Z]{2} ${CITY}`,
  // Portuguese, of Portugal and of Brazil
  `(?:Rua|Avenida|Av\\.|Praça|Travessa|Largo|Alameda|Estrada) (?:${words(1, 5)}),? \\d{1,5}${BREAK}(?:\\d{4}-\\d{3}|\\d{5}-\\d{3}) ${CITY}`,
  `(?:Rua|Avenida|Av\\.|Praça|Travessa|Largo|Alameda|Estrada) (?:${words(1, 5)}),? \\d{1,5}${BREAK}${CITY}(?: - [A-Z]{2})?, \\d{5}-\\d{3}`,
];
const EXPRESSIONS = FORMS.map((form) => new RegExp(form, 'gu'));
const MAX_ADDRESS = 320;

function findAddresses(text: string): PiiSpan[] {
  return EXPRESSIONS.flatMap((expression) =>
    [...text.matchAll(expression)]
      .map(({ 0: address, index }) => ({ start: index, end: index + address.length }))
      .filter(
        ({ start, end }) =>
          mayBegin(text, start) && mayEnd(text, end) && !/[-.,/]/.test(text[start - 1] ?? ''),
      )
      .map((span) => ({ ...span, type: 'street_address', rule: 'pii.street-address', confidence: 0.8 })),
  );
}

export const STREET_ADDRESS = {
  type: 'street_address',
  placeholder: '[ADDRESS]',
  reason: 'Contains a street address.',
  find: findAddresses,
  lookAhead: { before: MAX_ADDRESS, after: MAX_ADDRESS },
} as const satisfies OptInRow;
