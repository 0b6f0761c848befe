import { SECRET_KINDS } from '../../../shared/detection/secrets/kinds.ts';
import { createRandom, type Random } from '../random.ts';
import { sampleOf } from '../sample-of.ts';
import type { NamedText } from './named-text.ts';
import { digits } from './number-texts.ts';
export function secretsOfEveryKind(): NamedText[] {
  return SECRET_KINDS.flatMap(({ id, form }, at) => {
    const random = createRandom(at * 31 + 5);
    const key = sampleOf(form, random.below);
    const edge = random.pick([
      `a${key}`,
      `${key}a`,
      key.slice(0, -1),
      `${key}-`,
      `_${key}`,
      `${key.slice(0, 8)}…`,
    ]);
    return [
      { name: `key ${id}`, text: `{"k":"${key}"}` },
      { name: `key ${id}, at an edge`, text: `use ${edge} now` },
    ];
  });
}

const SECRET_NAMES = [
  'api_key',
  'apiKey',
  'API-KEY',
  'secret',
  'client_secret',
  'token',
  'access_token',
  'next_token',
  'csrf token',
  'password',
  'Passwort',
  'mot de passe',
  'contraseña',
  'пароль',
  'パスワード',
  'pwd',
  'pass',
  'DB_PASSWORD',
  'public key',
  'commit',
  'sha256',
  'authorization: Bearer',
  'x-api-key',
  'private_key',
  'key',
  'my password for the shop',
  'the password',
  'passphrase',
  'user_password',
  'PIN',
  'encryption key',
  'etag',
  'credential',
  'name',
  'Sec-WebSocket-Key',
];
const SECRET_JOINS = [
  ' = ',
  '=',
  ': ',
  ':',
  ' is ',
  '": "',
  ' := ',
  " = '",
  '="',
  ' -> ',
  ' ',
  ' lautet: ',
  ' was ',
  ' (',
  '>',
  '：',
  "['",
  ' is not ',
  ' should be ',
  '\n',
  ' of ',
  ' must be at least ',
];
const SECRET_VALUES: readonly ((random: Random) => string)[] = [
  (r) => sampleOf('{A20}', r.below),
  (r) => sampleOf('{A16}', r.below),
  (r) => sampleOf('{A15}', r.below),
  (r) => sampleOf('{H32}', r.below),
  (r) => sampleOf('{H40}', r.below),
  (r) => sampleOf('{C4}{D2}!{C3}{D1}', r.below),
  (r) => sampleOf('{C5}-{C4}-{D2}', r.below),
  (r) => sampleOf('{D6}', r.below),
  (r) => sampleOf('{C8}', r.below),
  (r) => sampleOf('{B44}=', r.below),
  (r) => sampleOf('{H8}-{H4}-{H4}-{H4}-{H12}', r.below),
  (r) => sampleOf('eyJ{B20}.eyJ{B30}.{B40}', r.below),
  (r) => sampleOf('/home/anna/{A24}', r.below),
  (r) => sampleOf('{D8}', r.below) + sampleOf(':AA{W33}', r.below),
  (r) => sampleOf('aaaaaaaaaaaaaaaa{D2}', r.below),
  () => 'your_api_key_here_1234',
  () => 'process.env.API_KEY_2024',
  () => 'defaultToConfigSession2',
  () => 'models/exp-42-final.pkl',
  () => '../src/auth/session-store-2',
  () => 'correct horse battery staple',
  () => 'changeme',
  () => 'hunter2',
  () => 'Sommer2024!',
  () => 'p@ssw0rd',
  () => '********',
  () => '$' + '{DB_PASSWORD}',
  () => '{{ secret }}',
  () => '<password>',
  () => 'required',
  () => 'null',
  () => 'getPassword()',
  () => 'example-token-1234567890',
  () => 'https://example.com/reset?id=17',
  () => 'getToken2024Value(user)',
];

export function namedSecret(random: Random): string {
  const value = random.pick(SECRET_VALUES)(random);
  const password = sampleOf('{C4}{D2}{C3}', random.below);
  const host = random.pick([
    'db.internal-corp.net',
    'localhost',
    '10.0.0.4',
    'example.com',
    'prod.db:5432',
    '[::1]',
    'db',
  ]);
  const body = sampleOf('{A64}', random.below);
  const text = random.pick([
    () => `${random.pick(SECRET_NAMES)}${random.pick(SECRET_JOINS)}${value}`,
    () => `${random.pick(SECRET_NAMES)}${random.pick(SECRET_JOINS)}${value}`,
    () => `${random.pick(SECRET_NAMES)}${random.pick(SECRET_JOINS)}${value}`,
    () => `{"${random.pick(SECRET_NAMES)}": "${value}", "n": 1}`,
    () => `export ${random.pick(SECRET_NAMES).toUpperCase().replaceAll(' ', '_')}=${value}`,
    () =>
      `${random.pick(['postgres', 'https', 'redis', 'mongodb+srv', 'x', 'a'.repeat(24)])}://${random.pick(['anna', '', 'a:b'])}:${random.pick([password, value, 'secret', '%61b', 'pa'])}@${host}/x`,
    () =>
      `curl ${random.pick(['-u ', '-su ', '--user ', '--user=', '-U ', '-X POST -u "', "-u '", '-d u '])}deploy:${random.pick([password, value])}${random.pick(['"', '', "'", ' '])} https://${host}/x`,
    () => `curl${' -H a'.repeat(random.below(60))} -u deploy:${password} curl https://${host}`,
    () =>
      `-----BEGIN ${random.pick(['RSA ', '', 'EC ', 'OPENSSH ', 'PUBLIC '])}PRIVATE KEY-----\n${random.pick([body, 'MIIB', '...', `${body}\n${body}`])}\n${random.pick(['-----END RSA PRIVATE KEY-----', '', '-----END', '-----BEGIN X-----'])} ok`,
    () =>
      `${random.pick(['bot', '', 'x', '/bot', '1'])}${digits(random, 7 + random.below(5))}:AA${sampleOf('{W33}', random.below)}${random.pick(['', '/send', 'x', '-'])}`,
    () =>
      `https://hooks.slack.com/services/T${sampleOf('{U8}', random.below)}/B${sampleOf('{U8}', random.below)}/${sampleOf('{A24}', random.below)}`,
    () => `<user name="anna" password="${value}"/>`,
    () => `Authorization: ${random.pick(['Basic', 'Bearer', 'Token'])} ${value}`,
    () => `${value}${random.pick(['', '.', '-', '==', '...', '…'])}`,
  ])();
  return `${random.pick(['', '', '# ', 'note: ', '"', 'see ', '\\n', '  '])}${text}${random.pick(['', '', '.', ';', ',', '"', ' and so on', '\nnext', '\\n', ')', '`', '...'])}`;
}
