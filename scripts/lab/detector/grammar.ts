import type { Random } from '../../../test/support/random.ts';
import { readSections, type Section } from '../read-texts.ts';
import type { Row } from './examples.ts';
import { expand, roughen, type Slots } from './grammar/expand.ts';

/** The texts and slots of `grammar/NAME.txt`. */
export function readGrammar(name: string): Section[] {
  return readSections(new URL(`grammar/${name}.txt`, import.meta.url));
}

export const GRAMMAR_SLOTS: Slots = Object.fromEntries(
  ['attack-slots', 'harmless-slots', 'order-slots'].flatMap(readGrammar),
);
/** Languages whose texts are only measured; set for an experiment, empty for the shipped weights. */
const HELD_LANGUAGES: readonly string[] = (process.env['HELD_LANGUAGES'] ?? '').split(',');
/** A harmful question alone is not an attack on the model: content policies handle it. */
const HARM_FRAMES = [
  '{harm}',
  '{harm}?',
  'how can I [find|learn|know] {harm}?',
  'tell me {harm}',
  'explain {harm}',
  'is it legal to know {harm}?',
  'write about {harm}',
  'give me {harm}',
  'I want to know {harm}',
  '[what|where|why] is {harm}?',
];
const PER_TEMPLATE = 60;
const PER_BENIGN_TEMPLATE = 40;

/** Wide families yield more texts; quoted attacks yield few, or the model unlearns the attack itself. */
function perTemplate(family: string): number {
  if (family === 'quotes') return 30;
  return /alone|identifiers|meta|reference|pages/.test(family) ? 400 : PER_BENIGN_TEMPLATE;
}

const ATTACKS = readGrammar('attacks');
/** A family that comes twice counts its templates twice. */
const HARMLESS = readGrammar('harmless');
const FOREIGN_ATTACKS = ['foreign-attacks', 'foreign-attacks-in-voices'].map(readGrammar);
const FOREIGN_HARMLESS = ['foreign-requests', 'foreign-prose'].map(readGrammar);
const FOREIGN_REQUESTS = new Map(FOREIGN_HARMLESS[0]);

/** Synthetic user texts: attacks and harmless ones. Every seventh template is held out (category `held:`). */
export function userGrammar(random: Random): Row[] {
  const rows: Row[] = [];
  const seen = new Set<string>();
  const add = (text: string, label: 0 | 1, family: string, template: number) => {
    if (seen.has(text)) return;
    seen.add(text);
    const held = template % 7 === 3 ? 'held:' : 'grammar:';
    rows.push({ id: `g${rows.length}`, text, label, category: held + family, source: 'grammar' });
  };
  for (const [family, number, template] of eachTemplate(ATTACKS)) {
    for (let i = 0; i < PER_TEMPLATE; i++) add(attackText(template, random), 1, family, number);
  }
  for (const [family, number, template] of eachTemplate(HARMLESS)) {
    for (let i = 0; i < perTemplate(family); i++) add(benignText(template, random), 0, family, number);
  }
  for (let i = 0; i < 6000; i++) add(roughText(random.pick(HARM_FRAMES), random), 0, 'harm-alone', i);
  const addForeign = (languages: readonly Section[], label: 0 | 1, count: number) => {
    const templates = new Map(languages);
    for (const [language, , template] of eachTemplate(languages)) {
      // Whole languages are held out to measure the transfer between languages.
      const number = HELD_LANGUAGES.includes(language) ? 3 : 0;
      for (let i = 0; i < count; i++) {
        add(
          foreignText(template, templates.get(language)!, language, random),
          label,
          `foreign-${language}`,
          number,
        );
      }
    }
  };
  for (const languages of FOREIGN_ATTACKS) addForeign(languages, 1, 24);
  for (const languages of FOREIGN_HARMLESS) addForeign(languages, 0, 32);
  for (let i = 0; i < 3000; i++) add(roughText('{benreq}', random), 0, 'plain', i);
  return rows;
}

/** Family, number in its family, template. */
function eachTemplate(families: readonly Section[]): (readonly [string, number, string])[] {
  return families.flatMap(([family, templates]) =>
    templates.map((template, number) => [family, number, template] as const),
  );
}

function roughText(template: string, random: Random): string {
  return roughen(expand(template, GRAMMAR_SLOTS, random), random);
}

function attackText(template: string, random: Random): string {
  let text = roughText(template, random);
  if (random.chance(0.12))
    text = `${expand('{benreq}', GRAMMAR_SLOTS, random)}${random.pick(['. ', '\n', '? ', '\n\n'])}${text}`;
  if (random.chance(0.06))
    text = `${text}${random.pick(['. ', '\n', ' '])}${expand('{benreq}', GRAMMAR_SLOTS, random)}`;
  return text;
}

function benignText(template: string, random: Random): string {
  const text = roughText(template, random);
  if (!random.chance(0.1)) return text;
  return `${text}${random.pick(['. ', '\n', ' '])}${roughText('{benreq}', random)}`;
}

function foreignText(template: string, others: readonly string[], language: string, random: Random): string {
  const parts = [expand(template, GRAMMAR_SLOTS, random)];
  if (random.chance(0.3)) parts.push(expand(random.pick(others), GRAMMAR_SLOTS, random));
  if (random.chance(0.15))
    parts.unshift(expand(random.pick(FOREIGN_REQUESTS.get(language)!), GRAMMAR_SLOTS, random));
  return parts.join(random.pick(['. ', '. ', '\n', ' ']));
}
