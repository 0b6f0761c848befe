import { VALUE } from '../../operating-points/values.ts';
import { within } from '../../reach.ts';
import type { PiiSpan } from '../spans.ts';
import { mayBegin, mayEnd, type OptInRow } from './opt-in-row.ts';

/** A word, a capitalized word, and a given number of words. */
const WORD = "[\\p{L}\\d][\\p{L}\\d'’.-]{0,24}";
const NAME = "\\p{Lu}[\\p{L}'’.-]{0,24}";
const words = (least: number, most: number) => `${WORD}(?: ${WORD}){${least - 1},${most - 1}}`;
/** Also `1st`. */
const PART = `(?:${NAME}|\\d{1,3}(?:st|nd|rd|th))`;
const names = (least: number, most: number) => `${PART}(?: ${PART}){${least - 1},${most - 1}}`;
/** Between two lines of an address. */
const BREAK = '(?:, ?|\\s{0,2}\\n)';
const CITY_WORD = "\\p{Lu}['’]?\\p{Ll}[\\p{L}'’-]{0,24}";
const CITY = `(?!(?:Suite|Ste|Apt|Apartment|Unit|Flat|Floor)\\b)${CITY_WORD}(?: (?:(?:am|an der|im|bei|upon|de|do|da|dos|la|del|di|der|den|aan den|aan de|sur|nell['’]|nel) ?)?${CITY_WORD}){0,3}`;
const NUMBER = '\\d{1,5}(?: ?[a-zA-Z](?![\\p{L}\\d]))?';
const FLOOR = '(?: ?[a-zA-Z]| I{1,3}|[/-]\\d{1,3})?(?![\\p{L}\\d])';

const ENGLISH_STREET =
  '(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Court|Ct|Terrace|Loop|Way|Place|Pl|Boulevard|Blvd|Square|Sq|Close|Crescent|Parkway|Pkwy|Highway|Hwy|Row|Gardens|Grove|Hill|Mews|Walk|Circle|Trail|Plaza)';
const UNIT = '(?:, (?:Apt|Apartment|Flat|Suite|Ste|Unit|Floor|#)\\.? ?\\w{1,6})?';
const UK_POSTCODE = '[A-Z]{1,2}\\d[A-Z\\d]? ?\\d[A-Z]{2}';
/** With a state or province, which does not precede any other number. */
const US_CODE =
  '(?:A[LKZR]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY]),? \\d{5}(?:-\\d{4})?';
const OTHER_CODE =
  '(?:NSW|VIC|QLD|WA|SA|TAS|ACT|NT) \\d{4}|(?:AB|BC|MB|NB|NL|NS|NT|NU|ON|PE|QC|SK|YT),? [A-Z]\\d[A-Z] \\d[A-Z]\\d';
const PORTUGUESE_STREET =
  '(?:Rua|Avenida|Av\\.|Praça|Praceta|Travessa|Largo|Alameda|Estrada|Rodovia|Beco|Bairro|Calçada|Urbanização|Quinta|Caminho)';

/** The formats of each country: number, street, and a postcode or a city. */
const FORMS: readonly string[] = [
  // a word for street, and a city after it; in Dublin with a district
  `${NUMBER} (?:${names(1, 4)}) ${ENGLISH_STREET}\\b\\.?(?: (?:NW|NE|SW|SE|N|S|E|W)\\b)?${UNIT}${BREAK}${CITY}(?:,? (?:${US_CODE}|${UK_POSTCODE}|${OTHER_CODE}|\\d{5}|\\d{1,2})(?![\\p{L}\\d]))?`,
  // any words, and a complete postcode after the city
  `${NUMBER} (?:${names(1, 5)})${UNIT}${BREAK}${CITY},? (?:${US_CODE}|${UK_POSTCODE}|${OTHER_CODE})(?![\\p{L}\\d])`,
  // German
  `(?:\\p{Lu}[\\p{L}.'’-]{0,40}?(?:[Ss]tra(?:ß|ss)e|[Ss]tr\\.|[Ww]eg|[Gg]asse|[Pp]latz|[Aa]llee|[Rr]ing|[Uu]fer|[Dd]amm|chaussee|markt|hof|graben)|\\p{Lu}[\\p{L}-]{1,24} (?:Straße|Strasse|Str\\.|Weg|Gasse|Allee)|(?:Am|Im|Zum|Zur|An der|Auf der|Auf dem|In der|Unter den) \\p{Lu}[\\p{L}-]{1,24}) \\d{1,4}${FLOOR}${BREAK}\\d{4,5} ${CITY}`,
  // French
  `\\d{1,4}(?: (?:bis|ter))?,? (?:[Rr]ue|[Aa]venue|[Aa]v\\.|[Bb]oulevard|[Bb]d|[Pp]lace|[Cc]hemin|[Ii]mpasse|[Aa]llée|[Qq]uai|[Cc]ours|[Rr]oute|[Ss]quare|[Pp]assage|[Vv]oie) (?:${words(1, 6)})${BREAK}\\d{5} ${CITY}`,
  // Spanish
  `(?:Calle|C/|Avenida|Avda\\.?|Paseo|Plaza|Pza\\.?|Camino|Carretera|Ronda|Travesía|Glorieta|Urbanización|Callejón|Cuesta|Barrio|Polígono|Rambla|Pasaje|Parque|Vía) (?:${words(1, 5)}),? (?:n[º°.o] ?)?\\d{1,4}(?:, ?\\d{1,2}[º°o]? ?[A-Z]?)?${BREAK}\\d{5} ${CITY}`,
  // Italian
  `(?:Via|Viale|Corso|Piazza|Piazzale|Largo|Vicolo|Strada|Borgo|Contrada|Lungomare|Salita) (?:${words(1, 5)}),? \\d{1,4}[a-z]?${BREAK}\\d{5} ${CITY}`,
  // Dutch
  `(?:(?:van (?:der |den |de )?|de )?\\p{Lu}[\\p{L}'’-]{0,30}?(?:straat|gracht|weg|laan|plein|kade|singel|dijk|hof|steeg|plantsoen|pad|dreef|park)|Laan van ${NAME}) \\d{1,4}${FLOOR}${BREAK}\\d{4} ?[A-Z]{2} ${CITY}`,
  // Portuguese, of Portugal and of Brazil
  `${PORTUGUESE_STREET} (?:${words(1, 5)}),? \\d{1,5}${BREAK}\\d{4,5}-\\d{3} ${CITY}`,
  `${PORTUGUESE_STREET} (?:${words(1, 5)}),? \\d{1,5}${BREAK}${CITY}(?: - [A-Z]{2})?, \\d{5}-\\d{3}`,
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
      .map((span) => ({
        ...span,
        type: 'street_address',
        rule: 'pii.street-address',
        confidence: VALUE.streetAddress,
      })),
  );
}

export const STREET_ADDRESS = {
  type: 'street_address',
  placeholder: '[ADDRESS]',
  reason: 'Contains a street address.',
  find: findAddresses,
  reach: within(MAX_ADDRESS),
} as const satisfies OptInRow;
