import { optInTexts } from '../opt-in-texts.ts';
import { createRandom, type Random } from '../random.ts';
import { sampleOf } from '../sample-of.ts';
import { SEPARATORS, sensitiveValue, VALUE_FORMS } from '../sensitive-values.ts';
import { emailText, ipv6Text, spelledText } from './address-texts.ts';
import { aimedValues } from './aimed-values.ts';
import { DISGUISES } from './disguises.ts';
import { escapedText } from './escaped-texts.ts';
import type { NamedText } from './named-text.ts';
import { numberText } from './number-texts.ts';
import { words } from './plain-words.ts';
import { namedSecret, secretsOfEveryKind } from './secret-texts.ts';

/** Texts with personal data and secrets, and texts that resemble them; the same ones each time. */
export function valueTexts(): NamedText[] {
  return [
    ...optInTexts().map(({ type, text }, at) => ({ name: `${type} ${at}`, text, isOptIn: true })),
    ...hiddenValues(),
    ...aimedValues(),
    ...drawn('values side by side', 700, valuesSideBySide),
    ...drawn('number', 1_500, numberText),
    ...drawn('IPv6', 350, ipv6Text),
    ...drawn('address', 450, emailText),
    ...drawn('spelled address', 200, spelledText),
    ...secretsOfEveryKind(),
    ...drawn('named secret', 600, namedSecret),
    ...drawn('escapes', 450, escapedText),
  ];
}

function drawn(name: string, count: number, make: (random: Random) => string): NamedText[] {
  const seed = [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) | 0, 7);
  return Array.from({ length: count }, (_, at) => ({
    name: `${name} ${at}`,
    text: make(createRandom(seed + at * 7_919)),
  }));
}

function hiddenValues(): NamedText[] {
  const random = createRandom(20_261_128);
  return Object.entries(DISGUISES).flatMap(([disguise, write]) =>
    [
      'my email is john.miller@example.com and the card is 4111 1111 1111 1111',
      '219-45-6789',
      `call +1 415 555 2671, then ${sampleOf('AKIA{U16}', random.below)}`,
      `the host is 8.8.8.8 or 2a02:26f0:fc::5f1 eht dna rof`,
    ].map((text, at) => ({ name: `value ${at}, ${disguise}`, text: write(text) })),
  );
}

function valuesSideBySide(random: Random): string {
  let text = words(random, 3);
  for (let left = 1 + random.below(3); left > 0; left--) {
    const value = sensitiveValue(random, random.below(VALUE_FORMS)).text;
    text += random.pick(SEPARATORS) + value + random.pick(SEPARATORS) + words(random, 2);
  }
  return text;
}
