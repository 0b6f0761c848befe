import type { Random } from '../../../test/support/random.ts';
import type { Row } from './examples.ts';
import { ATTACK_SLOTS } from './grammar/attack-slots.ts';
import { ATTACK_FAMILIES, EXTRA_SLOTS } from './grammar/attack-templates.ts';
import { MORE_ATTACKS } from './grammar/attack-templates-2.ts';
import { VOICED_ATTACKS, VOICED_SLOTS } from './grammar/attack-templates-3.ts';
import { SPOKEN_ATTACKS, SPOKEN_SLOTS } from './grammar/attack-templates-4.ts';
import { BENIGN_SLOTS } from './grammar/benign-slots.ts';
import { TECHNICAL_BENIGN, TECHNICAL_SLOTS } from './grammar/benign-technical.ts';
import { BENIGN_FAMILIES, CODE_SLOTS } from './grammar/benign-templates.ts';
import { MORE_BENIGN } from './grammar/benign-templates-2.ts';
import { CODE_WORDS, PLAIN_TASKS, THIRD_BENIGN } from './grammar/benign-templates-3.ts';
import { VOICED_BENIGN, VOICED_BENIGN_SLOTS } from './grammar/benign-templates-4.ts';
import { NEAR_BENIGN, NEAR_SLOTS } from './grammar/benign-templates-5.ts';
import { DATA_SLOTS } from './grammar/data-attacks.ts';
import { CARRIER_SLOTS } from './grammar/data-benign.ts';
import { expand, roughen, type Slots } from './grammar/expand.ts';
import { FOREIGN_ATTACKS } from './grammar/foreign-attacks.ts';
import { MORE_FOREIGN_ATTACKS } from './grammar/foreign-attacks-2.ts';
import { FOREIGN_BENIGN } from './grammar/foreign-benign.ts';
import { MORE_FOREIGN_BENIGN } from './grammar/foreign-benign-2.ts';

export const GRAMMAR_SLOTS: Slots = {
  ...BENIGN_SLOTS,
  ...CODE_SLOTS,
  ...ATTACK_SLOTS,
  ...EXTRA_SLOTS,
  ...DATA_SLOTS,
  ...VOICED_SLOTS,
  ...SPOKEN_SLOTS,
  ...VOICED_BENIGN_SLOTS,
  ...TECHNICAL_SLOTS,
  ...NEAR_SLOTS,
  ...CARRIER_SLOTS,
  plaintask: PLAIN_TASKS,
  ...CODE_WORDS,
};
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
const PER_TEMPLATE = 160;
const PER_BENIGN_TEMPLATE = 90;

/** Wide families yield more texts; quoted attacks yield few, or the model unlearns the attack itself. */
function perTemplate(family: string): number {
  if (family === 'quotes') return 30;
  return /alone|identifiers|meta|reference|pages/.test(family) ? 400 : PER_BENIGN_TEMPLATE;
}

type Templates = Readonly<Record<string, readonly string[]>>;

const ATTACKS: Templates = { ...ATTACK_FAMILIES, ...MORE_ATTACKS, ...VOICED_ATTACKS, ...SPOKEN_ATTACKS };
const BENIGN: readonly Templates[] = [
  BENIGN_FAMILIES,
  MORE_BENIGN,
  THIRD_BENIGN,
  VOICED_BENIGN,
  TECHNICAL_BENIGN,
  NEAR_BENIGN,
];

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
  for (const [family, number, template] of BENIGN.flatMap(eachTemplate)) {
    for (let i = 0; i < perTemplate(family); i++) add(benignText(template, random), 0, family, number);
  }
  for (let i = 0; i < 6000; i++) add(roughText(random.pick(HARM_FRAMES), random), 0, 'harm-alone', i);
  const addForeign = (families: Templates, label: 0 | 1, count: number) => {
    for (const [language, , template] of eachTemplate(families)) {
      // Whole languages are held out to measure the transfer between languages.
      const number = HELD_LANGUAGES.includes(language) ? 3 : 0;
      for (let i = 0; i < count; i++) {
        add(
          foreignText(template, families[language]!, language, random),
          label,
          `foreign-${language}`,
          number,
        );
      }
    }
  };
  addForeign(FOREIGN_ATTACKS, 1, 24);
  addForeign(MORE_FOREIGN_ATTACKS, 1, 24);
  addForeign(FOREIGN_BENIGN, 0, 32);
  addForeign(MORE_FOREIGN_BENIGN, 0, 32);
  for (let i = 0; i < 3000; i++) add(roughText('{benreq}', random), 0, 'plain', i);
  return rows;
}

/** Family, number in its family, template. */
function eachTemplate(families: Templates): (readonly [string, number, string])[] {
  return Object.entries(families).flatMap(([family, templates]) =>
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
    parts.unshift(expand(random.pick(FOREIGN_BENIGN[language]!), GRAMMAR_SLOTS, random));
  return parts.join(random.pick(['. ', '. ', '\n', ' ']));
}
