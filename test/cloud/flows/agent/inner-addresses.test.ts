import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finish } from '@csg/shared/text';
import { innerAddressIn } from '../../../../apps/cloud/src/flows/agent/inner-addresses.ts';
import { assertLinear } from '../../../support/cpu-time.ts';
import { seededRandom } from '../../../support/random.ts';

const reached = (value: string, name: string) => finish(innerAddressIn(value, name));

const OWN = [
  'http://127.0.0.1:8080/admin',
  'fetch http://localhost/ and tell me',
  'https://LOCALHOST.:443',
  'http://api.localhost/x',
  'http://user:pass@127.0.0.1/',
  'http://example.com\\@127.0.0.1/',
  'http:127.0.0.1',
  'http:\\\\127.0.0.1\\',
  'http://1\t27.0.0.1/',
  '[docs](http://127.0.0.1/x)',
  'https://a.example,http://127.0.0.1/',
  'http://[fe80::1]/',
  'http://[fe80::1%25eth0]/',
  'http://169.254.1.1/',
  'ws://127.0.0.1:9222/devtools',
  'redis://localhost:6379',
  'http://0/',
  'http://2024/report.pdf',
  '0.0.0.0',
  'jdbc:mysql://localhost:3306/shop',
  'http://127.0.0.1.nip.io/',
  'http://app-127-0-0-1.sslip.io/',
  '//127.0.0.1/x',
  '\\\\127.0.0.1\\share',
  'root@127.0.0.1',
  'root@127.0.0.1:/srv/data',
  '127.0.0.1:22',
  '127.1:22',
  '0x7f000001:80',
  '127.0.0.1,10.0.0.1',
  '10.0.0.1; localhost',
  'localhost',
  'localhost:8080/health',
  '[::1]:80',
  '::1',
  '::1/128',
  'fe80::1%eth0',
  '::ffff:127.0.0.1',
  'curl localhost:8080/admin',
  'cd /srv && sudo curl -s 127.1/admin',
  "wget -q 127.0.0''.1/x",
  'curl --url=2130706433',
  'ssh root@localhost uptime',
  'host=127.0.0.1 port=5432 dbname=shop',
  'Server=localhost;Database=shop',
  'Server=tcp:127.0.0.1,1433;Database=shop',
  'mongodb://u:p@db.example:27017,127.0.0.1:27017/shop',
  'postgresql:///shop?host=localhost',
  'jdbc:sqlserver://localhost;databaseName=shop',
  'jdbc:oracle:thin:@//localhost:1521/shop',
  '[here](http://localhost)',
  '@import url(//localhost/a.css)',
  '<img src=//localhost/a.png>',
  '\\\\?\\UNC\\127.0.0.1\\c$\\x',
  '\\\\127.0.0.1@8080\\share',
  '\\\\localhost@SSL\\share',
  'http://7f000001.nip.io/',
  'http://a.--1.sslip.io/',
  'http://lvh.me/',
  'bash -c "curl 127.1"',
  'sudo -u www timeout 5 curl 127.1',
  'find . | xargs curl localhost',
  'if ! nc -z localhost 22; then exit; fi',
  'mysql -h127.1 shop',
  'curl 0:8080/admin',
  'echo stats > /dev/tcp/127.1/11211',
];

const METADATA = [
  'http://169.254.169.254/latest/meta-data/',
  'http://2852039166/',
  'http://0xa9fea9fe/x',
  'http://0251.0376.0251.0376/',
  'http://169.16689662/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://[fd00:ec2::254]/',
  'fd00:ec2:0:0::254',
  'http://metadata.google.internal./computeMetadata/v1/',
  'http://metadata/computeMetadata/v1/',
  'curl 0x64.0x64.0x64.0xc8',
  'http://169.254.169.254.nip.io/',
  '168.63.129.16:80',
  'http://127.0.0.1/ http://169.254.169.254/',
];

const OTHER = [
  'https://example.com/',
  'https://localhost.example.com/',
  'https://example.com/?from=127.0.0.1',
  'https://example.com/127.0.0.1/localhost',
  'http://10.0.0.12/health',
  'http://8.8.8.8.nip.io/',
  'The service listens on 127.0.0.1 by default.',
  '2130706433',
  '127001',
  '127.1',
  '0.1.2.3',
  '127.0.6533.72',
  '0:30',
  'ws:1',
  'http:404',
  '::',
  'std::vector',
  'manuals/returns.md',
  '2024/report.pdf',
  '01/cover.png',
  '127/readme.md',
  '0.5/alpha/notes.txt',
  's3://2024/report.pdf',
  'file:///127/readme.md',
  'file:///srv/2024/report.pdf',
  '//2024/report.pdf',
  'curl -m 5 https://example.com/',
  'ping -c 4 example.com',
  'cat 127/readme.md',
  'metadata',
  'metadata:2',
  'localhosted',
  'a:b',
  'lodash@127.1',
  '0.0.0.0/0',
  '::/0',
  'ping Anna at 0:30',
  'hey, 127.1 is odd',
  'version=127.0.0.0',
  'http://cafe.nip.io/',
  'https://login.example/?redirect_uri=http%3A%2F%2Flocalhost%2Fcb',
  '',
  'http://',
  'http://[',
];

for (const value of OWN)
  test(`${value} names this computer`, () => assert.equal(reached(value, 'text'), 'own'));
for (const value of METADATA)
  test(`${value} names a metadata service`, () => assert.equal(reached(value, 'text'), 'metadata'));
for (const value of OTHER)
  test(`"${value}" names no inner address`, () => assert.equal(reached(value, 'text'), null));

test('the name of an argument tells a host from a path', () => {
  for (const name of ['host', 'targetUrl', 'server_address', 'ips'])
    for (const value of ['127.1', '2130706433', '0x7f.1', '017700000001', '127.1,10.0.0.1'])
      assert.equal(reached(value, name), 'own', `${name} ${value}`);
  for (const name of ['path', 'filePath', 'files', 'working_dir'])
    for (const value of ['localhost/settings.yml', '127.0.0.1/index.html', '127.1/x'])
      assert.equal(reached(value, name), null, `${name} ${value}`);
  // A version, and numbers of telephones and accounts.
  assert.equal(reached('127.0.0.0', 'chromeVersion'), null);
  for (const name of ['target', 'destination', 'to']) assert.equal(reached('2145550123', name), null, name);
  assert.equal(reached('\\\\localhost\\share\\x', 'path'), 'own');
  assert.equal(reached('http://localhost/x', 'path'), 'own');
});

/** Every spelling that the URL standard reads as the address. */
function spellings(bytes: readonly [number, number, number, number], random: () => number): string[] {
  const [a, b, c, d] = bytes;
  const whole = ((a * 256 + b) * 256 + c) * 256 + d;
  const spell = (part: number): string =>
    [String(part), `0x${part.toString(16)}`, `0X${part.toString(16)}`, `00${part.toString(8)}`][
      Math.floor(random() * 4)
    ]!;
  const dotted = bytes.join('.');
  const hex = [a * 256 + b, c * 256 + d].map((part) => part.toString(16).padStart(4, '0')).join(':');
  return [
    ...[dotted, `${dotted}.`, String(whole), spell(whole), bytes.map(spell).join('.')],
    ...[`${spell(a)}.${spell((b * 256 + c) * 256 + d)}`, `${spell(a)}.${spell(b)}.${spell(c * 256 + d)}`],
    ...[dotted.replaceAll('.', '%2e'), dotted.replaceAll('.', '。'), dotted.replaceAll('.', '．')],
    [...dotted].map((sign) => `%${sign.charCodeAt(0).toString(16)}`).join(''),
    dotted.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
    ...[`[::ffff:${dotted}]`, `[::ffff:${hex}]`, `[0:0:0:0:0:FFFF:${hex}]`, `[::${dotted}]`],
    ...[`[64:ff9b::${hex}]`, `[2002:${hex}::1]`, `[::ffff:0:${hex}]`, `[fe80::5efe:${hex}]`],
  ];
}

const FRAMES: readonly ((host: string) => string)[] = [
  (host) => `http://${host}/`,
  (host) => `HTTPS://${host}:8443/a?b=c#d`,
  (host) => `http://user:p%40ss@${host}/x`,
  (host) => `http:/${host}/x`,
  (host) => `http:\\\\${host}\\x`,
  (host) => `see <a href="http://${host}/">this</a>`,
  (host) => `{"url":"http://${host}/x"}`,
  (host) => `http://${'a'.repeat(20_000)}@${host}/`,
  (host) => `${'word '.repeat(4_000)}http://${host}/`,
  (host) => `ws://${host}/socket`,
  (host) => `[this](http://${host})`,
  (host) => `**http://${host}**, or not`,
  (host) => `http://a b"c@${host}/`,
];

test('an address is read in every spelling and every URL around it', () => {
  const random = seededRandom(13);
  const byte = (): number => Math.floor(random() * 256);
  for (let round = 0; round < 40; round++) {
    const inner = [127, byte(), byte(), byte()] as const;
    const outer = [93, 184, byte(), byte()] as const;
    const frame = FRAMES[round % FRAMES.length]!;
    for (const spelled of spellings(inner, random))
      assert.equal(reached(frame(spelled), 'text'), 'own', frame(spelled).slice(-80));
    for (const spelled of spellings([169, 254, 169, 254], random))
      assert.equal(reached(frame(spelled), 'text'), 'metadata', frame(spelled).slice(-80));
    for (const spelled of spellings(outer, random)) {
      const due = spelled.startsWith('[fe80') ? 'own' : null;
      assert.equal(reached(frame(spelled), 'text'), due, frame(spelled).slice(-80));
    }
  }
});

test('a path with numbers names no address', () => {
  const random = seededRandom(14);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  for (let round = 0; round < 2_000; round++) {
    const step = (): string =>
      pick([
        String(Math.floor(random() * 3_000)),
        `0${Math.floor(random() * 10)}`,
        '127',
        'notes',
        'v1.2',
        '1.0.3',
      ]);
    const steps = Array.from({ length: 1 + Math.floor(random() * 4) }, step);
    const path = `${pick(['', './', '../', '/', '~/'])}${steps.join('/')}/${pick(['a.pdf', '7.png', 'readme.md'])}`;
    for (const name of ['path', 'text', 'input']) assert.equal(reached(path, name), null, path);
  }
});

test('a long value takes linear time', () => {
  for (const part of [
    'http://a',
    ':',
    'a.',
    '127.0.0.1.',
    'curl a;',
    '@',
    '//',
    'x=',
    '%31',
    '/dev/tcp/',
    '=//',
    'a,',
    '1-',
  ]) {
    const read = (text: string): unknown => reached(text, 'url');
    assertLinear(part, (size) => part.repeat(size), read, 50_000);
    assert.equal(read(part.repeat(500_000)), null, part);
  }
});
