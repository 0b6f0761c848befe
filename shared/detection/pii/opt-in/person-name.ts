import { VALUE } from '../../operating-points/values.ts';
import { within } from '../../reach.ts';
import type { PiiSpan } from '../spans.ts';
import { GIVEN_NAMES } from './given-names.ts';
import { mayEnd, type OptInRow } from './opt-in-row.ts';

/** A word of a name, and the particles between words. */
const PART = "(?:\\p{Lu}['’])?\\p{Lu}\\p{Ll}\\p{L}{0,24}(?:['’](?!s(?!\\p{L}))\\p{L}{1,12})?";
const PARTICLE =
  '(?:van der|van den|van de|van|von|de la|de los|de|der|den|del|della|di|da|dos|du|le|la|bin|al|el|ter|zu)';
const WORD = `${PART}(?:-${PART})?`;
const NEXT = ` (?:\\p{Lu}\\. )?(?:${PARTICLE} )?${WORD}`;
const NAME = `${WORD}(?:${NEXT}){0,3}`;
const LONG_NAME = `${WORD}(?:${NEXT}){1,3}`;

interface NameForm {
  /** Global; the name is its group `name`. */
  readonly form: RegExp;
  /** True if the form is too general: the name must begin with a frequent given name. */
  readonly needsGivenName?: boolean;
}

const form = (before: string, name = NAME, behind = ''): RegExp =>
  new RegExp(`(?<![\\p{L}\\d_])${before}(?<name>${name})(?![\\p{L}\\d])${behind}`, 'gdu');

/** The text between a label and the name, in prose, JSON and markup. */
const MARK = '["\']?\\s?[:：=]\\s?["\']?';
const LABEL =
  '(?:[Ff]ull|[Cc]ustomer|[Cc]lient|[Pp]atient|[Ff]irst|[Ll]ast|[Gg]iven|[Ff]amily|[Mm]iddle|[Ee]mployee|[Cc]ontact|[Aa]pplicant|[Cc]ardholder)[ _-]?[Nn]ame|[Ss]urname|Vorname|Nachname|Familienname|Prénom|Nom de famille|Apellidos?|Nombre completo|Cognome|Nome completo|Voornaam|Achternaam';
const CLOSING =
  '(?:(?:[Bb]est|[Kk]ind|[Ww]arm) [Rr]egards|[Rr]egards|[Ss]incerely(?: yours)?|[Yy]ours (?:sincerely|truly|faithfully)|[Mm]it freundlichen Grüßen|[Mm]it freundlichen Gruessen|[Vv]iele Grüße|[Cc]ordialement|[Bb]ien à vous|[Ss]aludos(?: cordiales)?|[Aa]tentamente|[Cc]ordiali saluti|[Dd]istinti saluti|[Aa]tenciosamente|[Mm]et vriendelijke groet(?:en)?)[,.]?(?:[ \\t]{0,3}\\r?\\n){1,3}[ \\t]{0,3}';

const FORMS: readonly NameForm[] = [
  {
    form: form(
      '(?:Mr|Mrs|Ms|Miss|Dr|Prof|Sir|Herrn?|Frau|Madame|Mme|Monsieur|Señora?|Sra?|Sig|Sig\\.ra|Dott|Doña|Mevrouw|Meneer|Dhr|Mevr)\\.? ',
      `(?:Dr\\. |Prof\\. )?${NAME}`,
    ),
  },
  { form: form('M\\. ', LONG_NAME) },
  {
    form: form(
      "(?:[Mm]y (?:full )?name is|[Tt]he name is|[Mm]ein Name ist|[Ii]ch heiße|[Jj]e m['’]appelle|[Mm]on nom est|[Mm]e llamo|[Mm]i nombre es|[Mm]i chiamo|[Mm]eu nome é|[Mm]e chamo|[Mm]ijn naam is|[Ii]k heet|[Мм]еня зовут) ",
    ),
  },
  { form: form(`(?:${LABEL})${MARK}`) },
  {
    form: form(`(?:[Nn]ame|Patient(?:in)?|Nom|Nombre|Nome|Naam|Employee|Applicant|Insured)${MARK}`),
    needsGivenName: true,
  },
  // a separate line, as in a completed form
  {
    form: form(
      `(?<=(?:^|\\n)[ \\t*#>-]{0,6})(?:Name|Nom|Nombre|Nome|Naam|Имя)\\*{0,2}:\\*{0,2} `,
      LONG_NAME,
      '[ \\t]{0,3}(?![^\\n])',
    ),
  },
  { form: form(CLOSING, LONG_NAME, '[ \\t]{0,3}(?![^\\n])') },
];

/** Capitalized words that are not names, in the position of one. */
const NO_NAME =
  /^(?:The|This|That|Your|Our|My|No|Not|None|Never|Unknown|Anonymous|Support|Team|Service|Services|Customer|Office|President|Minister|Chair|Chairman|Chairwoman|Speaker|Judge|Justice|Senator|Secretary|Ambassador|Director|Manager|Sir|Madam|Pepper|Order|Word|Who|What|Please|File|User|Users|Name|String|Test|Example|First|Last|Data|Web|New|Type|Value|Id|Key|Field|Table|Column|Null|Undefined|True|False|Or|And|Mudd?)(?![\p{L}])/u;
const MAX_NAME = 240;

function findNames(text: string): PiiSpan[] {
  const spans: PiiSpan[] = [];
  for (const { form, needsGivenName } of FORMS) {
    for (const match of text.matchAll(form)) {
      const [start, end] = match.indices!.groups!.name!;
      const name = text.slice(start, end);
      const first = /^[\p{L}'’]+(?:-\p{L}+)?/u.exec(name)?.[0] ?? '';
      if (NO_NAME.test(name) || !mayEnd(text, end)) continue;
      if (needsGivenName === true && !GIVEN_NAMES.has(first) && !GIVEN_NAMES.has(first.split('-')[0]!))
        continue;
      spans.push({ start, end, type: 'person_name', rule: 'pii.person-name', confidence: VALUE.personName });
    }
  }
  return spans;
}

export const PERSON_NAME = {
  type: 'person_name',
  placeholder: '[PERSON_NAME]',
  reason: 'Contains the name of a person.',
  find: findNames,
  reach: within(MAX_NAME),
} as const satisfies OptInRow;
