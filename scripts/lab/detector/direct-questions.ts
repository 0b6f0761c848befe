import { readGuard } from '../../../shared/detection/guarded/read-guard.ts';
import type { Random } from '../../../test/support/random.ts';
import { readSections } from '../read-texts.ts';
import { expand, roughen, type Slots } from './grammar/expand.ts';
import type { GuardedRow } from './learn-guarded.ts';

/** Texts of each label for each language. */
const PER_LANGUAGE = 60;
/** English is what most people write; its list has more forms, too. */
const PER_ENGLISH = 600;
const FIRMS = [
  'Hill & Sons',
  'Norvik Travel',
  'the Larkspur Hotel',
  'Café Mondo',
  'Brightwell Bank',
  'Oakline',
];
const VALUES = [
  'maple',
  '"maple"',
  '4471',
  'FERN20',
  'x7-Delta',
  '"blue heron"',
  '90210',
  'Winterlight',
  'QZ-118',
];
const KINDS = ['keep', 'ask', 'free', 'key', 'other', 'k', 'o'] as const;
type Kind = (typeof KINDS)[number];

interface Language {
  readonly name: string;
  readonly lines: Readonly<Record<Kind, readonly string[]>>;
}

function readLanguages(): Language[] {
  return readSections(new URL('grammar/direct-questions.txt', import.meta.url)).map(([name, texts]) => {
    const of = (kind: Kind): string[] =>
      texts.filter((text) => text.startsWith(`${kind}: `)).map((text) => text.slice(kind.length + 2));
    const words = (kind: Kind): string[] => of(kind).flatMap((text) => text.split('|'));
    const lines = {
      keep: of('keep'),
      ask: of('ask'),
      free: of('free'),
      key: words('key'),
      other: words('other'),
      k: words('k'),
      o: words('o'),
    };
    return { name, lines };
  });
}

/** Requests for the very thing that a system prompt keeps, and for other things, in many languages. */
export function directQuestions(random: Random, weight: number): GuardedRow[] {
  const languages = readLanguages();
  const english = languages[0]!;
  return languages.flatMap((language) => {
    const count = language === english ? PER_ENGLISH : PER_LANGUAGE;
    return Array.from({ length: count * 2 }, (_none, index) => {
      // Many a prompt is English whatever its users speak.
      const guarding = random.chance(0.4) ? english : language;
      return rowOf(language, guarding, index < count ? 1 : 0, random, weight);
    }).filter((row) => row !== null);
  });
}

function rowOf(
  { name, lines }: Language,
  guarding: Language,
  label: 0 | 1,
  random: Random,
  weight: number,
): GuardedRow | null {
  const at = random.below(lines.key.length);
  // Of another language the same kind of thing stands at the same place only by chance: any key will do.
  const key = guarding.lines === lines ? lines.key[at]! : random.pick(guarding.lines.key);
  const guard = readGuard(
    expand(random.pick(guarding.lines.keep), { key: [key], firm: FIRMS, value: VALUES }, random),
  );
  if (guard === null) return null;
  const slots: Slots = {
    key: [lines.key[at]!],
    k: [lines.k[at] ?? lines.key[at]!],
    other: lines.other,
    o: lines.o,
  };
  const text = roughen(expand(random.pick(label === 1 ? lines.ask : lines.free), slots, random), random);
  return { text, guard, label, source: `direct-${name}`, weight };
}
