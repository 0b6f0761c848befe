import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { checkUrl } from '../../../apps/cloud/src/outbound/check-url.ts';

const ANY_PORT = Array.from({ length: 65_536 }, (_, port) => port);
const verdict = (text: string, ports?: readonly number[]): string => {
  const checked = checkUrl(text, { ports });
  return checked.ok ? 'ok' : checked.reason;
};

/** At least one example of each way to write an inner address. */
const REFUSED: Record<string, string[]> = {
  'dotted addresses': [
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '0.0.0.0',
    '0.1.2.3',
  ],
  'link-local, shared and reserved addresses': [
    '169.254.169.254',
    '100.64.0.1',
    '100.127.255.254',
    '192.0.0.8',
    '240.1.1.1',
  ],
  'addresses for documentation, benchmarking and relays': [
    '192.0.2.1',
    '198.51.100.7',
    '203.0.113.9',
    '198.18.0.1',
    '198.19.9.9',
    '192.88.99.1',
  ],
  'multicast and broadcast addresses': ['224.0.0.1', '239.255.255.250', '255.255.255.255'],
  'metadata services': [
    '169.254.169.254',
    '169.254.170.2',
    '100.100.100.200',
    '192.0.0.192',
    '168.63.129.16',
    '[fd00:ec2::254]',
  ],
  'decimal, octal and hex spellings': [
    '2130706433',
    '0x7f000001',
    '0X7F000001',
    '017700000001',
    '0177.0.0.1',
    '0x7f.0.0.1',
    '0x7f.1',
  ],
  'short and mixed spellings': ['127.1', '127.0.1', '0', '0.0', '10.513', '0x7f.0177.1', '00000177.0.0.1'],
  'a trailing dot': ['127.0.0.1.', '0x7f.1.', 'localhost.'],
  'letters that only look like digits': [
    '１２７.０.０.１',
    '①②⑦.⓪.⓪.①',
    '127。0。0。1',
    '127｡0｡0｡1',
    '127%2e0%2e0%2e1',
    '%31%32%37.1',
  ],
  'IPv6 that stays inside': [
    '[::]',
    '[::1]',
    '[fe80::1]',
    '[fc00::1]',
    '[fdab::1]',
    '[fec0::1]',
    '[ff02::1]',
    '[100::1]',
  ],
  'IPv4 inside IPv6': [
    '[::ffff:127.0.0.1]',
    '[::FFFF:7f00:1]',
    '[::ffff:8.8.8.8]',
    '[::127.0.0.1]',
    '[::ffff:0:7f00:1]',
  ],
  'translated IPv6': [
    '[64:ff9b::7f00:1]',
    '[64:ff9b::8.8.8.8]',
    '[64:ff9b:1::7f00:1]',
    '[2002:7f00:1::1]',
    '[2001:0:4136:e378:8000:63bf:80ff:fffe]',
  ],
  ISATAP: ['[fe80::5efe:7f00:1]', '[2600:1f00::5efe:7f00:1]', '[2600:1f00::200:5efe:a00:1]'],
  'IPv6 for documentation': ['[2001:db8::1]', '[3fff::1]', '[2001:2::1]', '[5f00::1]'],
  'an IPv6 zone': ['[fe80::1%25eth0]', '[fe80::1%eth0]'],
  'names of inner networks': [
    'localhost',
    'LOCALHOST',
    'a.localhost',
    'printer.local',
    'db.internal',
    'nas.lan',
    'x.home.arpa',
    'x.test',
    'x.onion',
  ],
  'a name without a dot': ['intranet', 'metadata', 'kubernetes'],
  'malformed names': ['127.0.0.1!.com', 'a..b.com', '-', 'ex ample.com'],
};

describe('checkUrl', () => {
  for (const [what, hosts] of Object.entries(REFUSED)) {
    it(`denies ${what}`, () => {
      for (const host of hosts) {
        for (const text of [`http://${host}/`, `https://${host}/x?y#z`])
          assert.notEqual(verdict(text), 'ok', text);
      }
    });
  }

  const reasons: [string, string][] = [
    ['http://127.0.0.1/', 'private_address'],
    ['http://localhost/', 'private_name'],
    ['ftp://example.com/', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['data:text/html,x', 'scheme'],
    ['gopher://example.com/', 'scheme'],
    ['jar:http://example.com!/', 'scheme'],
    ['http://user:pw@example.com/', 'credentials'],
    ['http://user@example.com/', 'credentials'],
    ['http://@example.com/', 'credentials'],
    ['http://example.com@127.0.0.1/', 'credentials'],
    ['http://example.com:22/', 'port'],
    ['http://example.com:0/', 'port'],
    ['https://example.com:6379/', 'port'],
    ['', 'not_a_url'],
    ['example.com', 'not_a_url'],
    ['//example.com/', 'not_a_url'],
    ['http:example.com/', 'not_a_url'],
    ['http:/example.com/', 'not_a_url'],
    ['http:///example.com/', 'not_a_url'],
    [' http://example.com/', 'not_a_url'],
    ['http://exa\tmple.com/', 'not_a_url'],
    ['http://example.com/\r\nHost: x', 'not_a_url'],
    ['http://example.com\\@127.0.0.1/', 'not_a_url'],
    ['http:\\\\127.0.0.1\\', 'not_a_url'],
    ['http://example.com:80@127.0.0.1:80@x/', 'credentials'],
    [`http://example.com/${'a'.repeat(5_000)}`, 'not_a_url'],
  ];
  for (const [text, reason] of reasons) {
    it(`${JSON.stringify(text.slice(0, 60))} -> ${reason}`, () => assert.equal(verdict(text), reason));
  }

  it('allows public URLs, as the URL that will be fetched', () => {
    for (const text of [
      'http://example.com/',
      'https://example.com:443/a?b=c',
      'HTTPS://Example.COM/',
      'https://example.com:8443/hook',
      'http://8.8.8.8/',
      'http://[2606:4700::1111]/',
      'https://münchen.de/straße',
      'https://sub_domain.example.com./',
      'https://example.com/?next=http://u:p@127.0.0.1/',
    ]) {
      const checked = checkUrl(text);
      assert.ok(checked.ok, `${text} -> ${verdict(text)}`);
      assert.equal(checked.url.href, new URL(text).href);
    }
  });

  it('allows other ports if they are listed, and never port 0', () => {
    assert.equal(verdict('https://example.com:9000/', [9000]), 'ok');
    assert.equal(verdict('https://example.com/', [9000]), 'port');
    assert.equal(verdict('http://example.com:0/', ANY_PORT), 'port');
  });

  it('allows inner addresses for tests, but no other scheme, credentials or spelling tricks', () => {
    const inner = (text: string): boolean => checkUrl(text, { allowPrivate: true }).ok;
    assert.ok(inner('http://127.0.0.1:8787/') && inner('http://localhost:1/') && inner('http://[::1]:5/'));
    for (const text of [
      'ftp://127.0.0.1/',
      'http://u:p@127.0.0.1/',
      'http:127.0.0.1/',
      'http://127.0.0.1:0/',
    ]) {
      assert.ok(!inner(text), text);
    }
  });
});

const shared = join(process.env['CSG_SHARED_DIR'] ?? '../shared', 'data/hostile/ssrf-urls.jsonl');
describe('the shared list of hostile addresses', { skip: !existsSync(shared) && 'it is not here' }, () => {
  it('is denied where it must be and allowed where it may be', () => {
    const wrong: string[] = [];
    for (const line of readFileSync(shared, 'utf8').split('\n').filter(Boolean)) {
      const row = JSON.parse(line) as { url: string; expect: string };
      const passes = verdict(row.url, row.expect === 'allow' ? undefined : ANY_PORT) === 'ok';
      const due = row.expect.startsWith('refuse') ? false : row.expect === 'allow' ? true : passes;
      if (passes !== due) wrong.push(`${row.url} (${row.expect})`);
    }
    assert.deepEqual(wrong, []);
  });
});
