import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findSecrets } from '../../../../shared/detection/secrets/find-secrets.ts';
import { SECRET_KINDS } from '../../../../shared/detection/secrets/kinds.ts';
import { PAIRS_OF_KINDS, PAIRS_OF_LITERALS } from '../../../../shared/detection/secrets/pairs.ts';
import { assertLinear } from '../../../support/cpu-time.ts';
import { createRandom, type Random } from '../../../support/random.ts';
import { sampleOf } from '../../../support/sample-of.ts';
import { textOf } from '../../../support/text-of.ts';

const FILLER = 'The team keeps it in the vault and renews it every quarter. ';

/** How people and programs write the two, in either order; § the first, ¶ the second. */
const FORMS: readonly string[] = [
  '§,¶',
  '§, ¶',
  '§ ¶',
  '§:¶',
  '§:¶:eu-central-1',
  '§\n¶',
  '§\t¶',
  '§/¶',
  '§;¶',
  '§|¶',
  '| § | ¶ |',
  '["§","¶"]',
  '{"a":"§","b":"¶"}',
  '"§\\n¶"',
  'Session("§","¶")',
  "client('s3', '§', '¶')",
  'Access Key ID [None]: §\nSecret Access Key [None]: ¶\nDefault region name [None]:',
  'Die Kennung lautet § und das Geheimnis dazu ist ¶.',
  'user §, then ¶, then enter',
  'mc alias set box https://s3.example.com § ¶',
  '<id>§</id><key>¶</key>',
  '- §\n- ¶',
  `§ ${FILLER.repeat(3)}¶`,
  'export A=§\nexport B=¶',
  'Authorization: §:¶',
  '(§) (¶)',
];

/** Identifiers by what names their pair, and what makes one. */
const IDENTIFIERS: readonly (readonly [form: string, secrets: readonly string[]])[] = [
  ...[...PAIRS_OF_KINDS].map(
    ([id, secrets]) => [SECRET_KINDS.find((kind) => kind.id === id)!.form, secrets] as const,
  ),
  ...PAIRS_OF_LITERALS.filter(({ id }) => id.startsWith('.')).map(
    ({ id, secret }) => [`{L12}${id}`, secret] as const,
  ),
  ['Iv1.{H16}', ['{H40}']],
  ['Ov23li{A14}', ['{H40}']],
  ['0oa{A17}', ['{W40}', '{W64}']],
  ['3MVG9{A60}', ['{X64}']],
  ['{U8}{D2}{U10}', ['{Y40}']],
];

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** A key of a form, of base64 with its signs. */
function makeKey(form: string, { below }: Pick<Random, 'below'>): string {
  const base64 = (_hole: string, count: string): string =>
    Array.from({ length: Number(count) }, () => BASE64[below(BASE64.length)]).join('');
  return sampleOf(form.replace(/\{Y(\d+)\}/g, base64), below);
}

const found = (text: string): string[] =>
  findSecrets(textOf(text)).map(({ start, end }) => text.slice(start, end));

test('the secret beside an identifier is found in every form and order', () => {
  const random = createRandom(40);
  const make = (form: string): string => makeKey(form, random);
  let missed = 0;
  let all = 0;
  for (const [idForm, secretForms] of IDENTIFIERS)
    for (const secretForm of secretForms)
      for (const form of FORMS)
        for (const isTurned of [false, true]) {
          const [id, secret] = [make(idForm), make(secretForm)];
          const [first, second] = isTurned ? [secret, id] : [id, secret];
          const text = `Hello.\n${form.replace('§', () => first).replace('¶', () => second)}\nThanks`;
          all++;
          if (found(text).some((value) => value === secret || value.includes(secret))) continue;
          missed++;
          if (process.env['SHOW']) console.log(JSON.stringify(text));
        }
  // A generated secret may happen to have no digit, or to read like a word.
  assert.ok(missed <= all * 0.01, `${missed} of ${all} are missed`);
});

test('a secret more than 200 characters away is not paired', () => {
  const id = `AKIA${'Q7'.repeat(8)}`;
  const secret = 'hT4kPz9LmQ2vXb7RdYc1NwJs6GfUe8Ao3Ki5BnVt';
  assert.ok(found(`${id} ${'x '.repeat(90)}${secret}`).includes(secret));
  assert.ok(!found(`${id} ${'x '.repeat(120)}${secret}`).includes(secret));
});

test('what is no secret beside an identifier stays', () => {
  const id = `AKIA${'Q7'.repeat(8)}`;
  for (const other of [
    '2906026be46c06cd17d37dc77a28b70fa9a0e2e5',
    'src/components/ButtonGroup/InputField2/a',
    'arn:aws:iam::123456789012:user/deploy-bot',
    'https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_access-keys.html',
    '30478f63-f942-4925-a39a-7647f14e4ded',
  ])
    assert.deepEqual(found(`${id} ${other}`), [id], other);
});

test('a head of a table names the secret in its rows', () => {
  for (const text of [
    'client_id,client_secret\nweb-shop,q8X2mN7vB4kL9pR3sT6w',
    '| Client ID | Client secret |\n|---|---|\n| web-shop | q8X2mN7vB4kL9pR3sT6w |',
    'Account SID and auth token:\nshop\nq8X2mN7vB4kL9pR3sT6w',
  ])
    assert.deepEqual(found(text), ['q8X2mN7vB4kL9pR3sT6w'], text);
  for (const text of [
    'client_id and client_secret come from the vault, request 30478f63-f942-4925-a39a-7647f14e4ded',
    'const { clientId, clientSecret } = readSettingsOfTheApplication2(environment)',
    'The client id is public; the secret is not. See docs/guides/OAuth2-Client-Settings.md',
  ])
    assert.deepEqual(found(text), [], text);
});

test('a password is found behind the user in calls and commands', () => {
  for (const text of [
    'DriverManager.getConnection("jdbc:postgresql://db.shop.de/main", "app", "Tulpe-4711!")',
    "new PDO('mysql:host=db.shop.de;dbname=main', 'app', 'Tulpe-4711!')",
    'new mysqli("db.shop.de", "app", "Tulpe-4711!", "main")',
    'mysql -h db.shop.de -u app -pTulpe-4711! main',
    'sqlplus app/Tulpe-4711!@db.shop.de',
    "sshpass -p 'Tulpe-4711!' ssh app@shop.de",
    'mc alias set box https://s3.shop.de app Tulpe-4711',
  ])
    assert.ok(
      found(text).some((value) => value.startsWith('Tulpe-4711')),
      `${text}: ${found(text)}`,
    );
  for (const text of [
    'DriverManager.getConnection("jdbc:postgresql://db.shop.de/main", "app", "your_password")',
    'mysql -h db.shop.de -u app -p main',
    'getConnection("jdbc:h2:mem:test", user, password)',
  ])
    assert.deepEqual(found(text), [], text);
});

test('many identifiers and many values take linear time', () => {
  const random = createRandom(41);
  const make = (form: string): string => makeKey(form, random);
  for (const part of [
    `${make('AKIA{U16}')} `,
    `${make('{Y40}')} `,
    'client_id secret ',
    `${make('{U8}{D2}{U10}')},`,
  ])
    assertLinear(part, (size) => textOf(part.repeat(size / part.length)), findSecrets, 20_000);
});
