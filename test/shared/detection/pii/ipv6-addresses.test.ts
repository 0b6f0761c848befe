/** Cases just inside and just outside each limit of the readers of addresses. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { piiSpans } from '@csg/shared/detection';
import { emailAt } from '../../../../shared/detection/pii/email.ts';
import { isIpv4, isSpecialIp } from '../../../../shared/detection/pii/ip-address.ts';

test('an email address ends at the limits of its host and its name', () => {
  const x = (count: number) => 'x'.repeat(count);
  const cases: readonly (readonly [text: string, address?: string])[] = [
    ['a@b.de', 'a@b.de'],
    ['{user}@host.de'],
    [`${x(64)}@b.de`, `${x(64)}@b.de`],
    [`${x(65)}@b.de`, `${x(64)}@b.de`],
    ['"a b"@c.de', '"a b"@c.de'],
    ['"a"@c.de', '"a"@c.de'],
    ['""@c.de'],
    ['"@c.de'],
    [`"${x(62)}"@c.de`, `"${x(62)}"@c.de`],
    [`"${x(63)}"@c.de`],
    ['...a@b.de', 'a@b.de'],
    ['\\na@b.de', 'a@b.de'],
    ...[...'=/|&?'].map((mark) => [`k${mark}a@b.de`, 'a@b.de'] as const),
    ["o'neil@b.de", "o'neil@b.de"],
    ['a+b@c.de', 'a+b@c.de'],
    ['é@b.de', 'é@b.de'],
    ['a=@b.de'],
    ['a.@b.de'],
    ['@b.de'],
    ['git@github.com'],
    ['gits@github.com', 'gits@github.com'],
    ['https://user:word@host.de'],
    ['x:a@b.de', 'a@b.de'],
    ['https://h/p:a@b.de', 'a@b.de'],
    [`https://${x(76)}:a@b.de`],
    [`https://${x(77)}:a@b.de`, 'a@b.de'],
    // the host
    ['a@b'],
    ['a@.de'],
    ['a@b..de'],
    ['a@b.de.', 'a@b.de'],
    ['a@b-c.de', 'a@b-c.de'],
    ['a@-b.de'],
    ['a@b.-de'],
    ['a@b_c.de'],
    ['a@b.c.de_x', 'a@b.c.de'],
    ['a@b.de或', 'a@b.de'],
    ['a@b.рф', 'a@b.рф'],
    ['a@b.co.c@d.de', 'a@b.co'],
    ['a@b.c@d.de'],
    ['a@b.com.Please', 'a@b.com'],
    ['a@b.com.Max', 'a@b.com.Max'],
    ['a@b.Please', 'a@b.Please'],
    ['icon@2x.png'],
    ['icon@2x.PNG'],
    ['a@b.com.219-09-9999', 'a@b.com'],
    ['a@b.com.x'],
    ['a@b.d'],
    ['a@b.de-x', 'a@b.de'],
    ['a@b.xn--p1ai', 'a@b.xn--p1ai'],
    ['a@b.xn--p1ai-', 'a@b.xn--p1ai'],
    [`a@b.${x(24)}`, `a@b.${x(24)}`],
    [`a@b.${x(25)}`],
    [`a@${`${x(49)}.`.repeat(5)}de`, `a@${`${x(49)}.`.repeat(5)}de`],
    [`a@${`${x(49)}.`.repeat(5)}abcd`, `a@${`${x(49)}.`.repeat(5)}abc`],
  ];
  for (const [text, address] of cases) {
    const span = emailAt(text, text.indexOf('@'), 0, text.length);
    assert.equal(span && text.slice(span.start, span.end), address, text);
  }
});

test('an email address does not overlap the values around it', () => {
  const at = (text: string, floor: number, ceiling: number) => {
    const span = emailAt(text, text.indexOf('@'), floor, ceiling);
    return span && text.slice(span.start, span.end);
  };
  assert.equal(at('xxa@b.de', 2, 8), 'a@b.de');
  assert.equal(at('"xa"@b.de', 1, 9), undefined);
  assert.equal(at('a@b.de.com', 0, 10), 'a@b.de.com');
  assert.equal(at('a@b.de.com', 0, 7), 'a@b.de');
  assert.equal(at('a@b.de.com', 0, 6), 'a@b.de');
  assert.equal(at('a@b.de.com', 0, 5), undefined);
  assert.equal(at('a@b.de.com', 0, 4), undefined);
});

test('an IPv6 address has all its groups, or a double colon', () => {
  const cases: readonly (readonly [text: string, ...addresses: readonly string[]])[] = [
    ['2001:db8::1', '2001:db8::1'],
    ['1:2:3:4:5:6:7:888', '1:2:3:4:5:6:7:888'],
    ['1:2:3:4:5:6:7:88'],
    ['1:2:3:4:5:6:888'],
    ['1:2:3:4:5:6:8.8.8.8', '1:2:3:4:5:6:8.8.8.8'],
    ['a::b'],
    ['a::1'],
    ['2a::1'],
    ['a::b:1', 'a::b:1'],
    ['a::b:c'],
    ['fe80::1', 'fe80::1'],
    ['fd12::1', 'fd12::1'],
    ['::ffff:8.8.8.8', '::ffff:8.8.8.8'],
    ['64:ff9b::8.8.8.8', '64:ff9b::8.8.8.8'],
    ['1:2:3:4:5:6::888', '1:2:3:4:5:6::888'],
    // a double colon is at least one group
    ['1:2:3:4:5:6:7::888', '1:2:3:4:5:6:7::'],
    ['1:2:3:4:5:6::7:888', '1:2:3:4:5:6::7'],
    ['x2001:db8::1'],
    ['_2001:db8::1'],
    ['\\n2001:db8::1', '2001:db8::1'],
    ['-2001:db8::1', '2001:db8::1'],
    ['2001:db8::1.', '2001:db8::1'],
    ['2001:db8::1:', '2001:db8::1'],
    ['2001:db8::1::2', '2001:db8::1'],
    ['12:30'],
    ['12:30:15'],
  ];
  const found = cases.map(([text]) => [
    text,
    ...piiSpans(text, ['ip_address']).map(({ start, end }) => text.slice(start, end)),
  ]);
  assert.deepEqual(found, cases);
});

test('special addresses are recognized by their range', () => {
  for (const address of ['0.0.0.0', '255.255.255.255', '10.20.30.40']) assert.ok(isIpv4(address), address);
  for (const address of ['1.2.3', '1.2.3.4.5', '256.1.1.1', '01.2.3.4', '1.2.3.a', '1.2.3.'])
    assert.ok(!isIpv4(address), address);
  const special = [
    ...['10.0.0.1', '127.0.0.1', '0.1.2.3', '224.0.0.1', '255.1.1.1', '192.168.1.1', '172.16.0.1'],
    ...['172.31.255.1', '169.254.1.1', '100.64.0.1', '100.127.0.1', '192.0.0.1', '192.0.2.1', '198.18.0.1'],
    ...['198.19.0.1', '198.51.100.1', '203.0.113.1', '::1', 'fe80::1', 'fd12::1', '2001:db8::1', 'ff02::1'],
  ];
  for (const address of special) assert.ok(isSpecialIp(address), address);
  const others = [
    ...[
      '9.0.0.1',
      '11.0.0.1',
      '126.0.0.1',
      '128.0.0.1',
      '1.0.0.0',
      '223.0.0.1',
      '192.167.1.1',
      '191.168.1.1',
    ],
    ...['172.15.0.1', '172.32.0.1', '171.16.0.1', '169.253.1.1', '168.254.1.1', '100.63.0.1', '100.128.0.1'],
    ...['99.64.0.1', '192.0.1.1', '192.0.3.1', '192.1.2.1', '191.0.2.1', '198.17.0.1', '198.20.0.1'],
    ...['197.18.0.1', '198.51.99.1', '198.52.100.1', '203.0.112.1', '203.1.113.1', '202.0.113.1'],
    ...['2001:db9::1', '2a02::1'],
  ];
  for (const address of others) assert.ok(!isSpecialIp(address), address);
});
