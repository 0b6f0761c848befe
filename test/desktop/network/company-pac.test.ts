import assert from 'node:assert/strict';
import { test } from 'node:test';
import { companyPac } from '../../../apps/desktop/src/network/company-pac.ts';
import { compilePac } from '../../../apps/desktop/src/upstream/upstream-pac.ts';

test('contains proxies and exceptions as GNOME, macOS and Windows write them', async () => {
  const find = await compilePac(
    companyPac(
      {
        https: 'one.example:8080',
        http: 'two.example:3128',
        socks: null,
        bypass: [
          ...['localhost', '127.0.0.0/8', '::1', '*.local', '169.254/16', '.corp.example', '<local>'],
          ...['10.*', 'Files.Example:8443', 'no "quotes"', '"); alert("', '192.168.1.128/25'],
        ],
      },
      null,
    ),
  );
  const direct = [
    ...['localhost', '127.0.0.1', '::1', 'printer.local', '169.254.9.9', 'a.corp.example', 'intranet'],
    ...['10.1.2.3', 'files.example', '192.168.1.200'],
  ];
  for (const host of direct) assert.equal(await find('https://h/', host), 'DIRECT', host);
  for (const host of ['api.openai.com', 'corp.example.evil', '192.168.1.1', '128.0.0.1', 'a.files.example'])
    assert.equal(await find('https://h/', host), 'PROXY one.example:8080', host);
  assert.equal(await find('http://h/', 'plain.example'), 'PROXY two.example:3128');
});

test('uses another proxy for a scheme without one, and the given fallback', async () => {
  const manual = { https: 'one.example:1', http: null, socks: 'socks.example:1080', bypass: [] };
  const find = await compilePac(companyPac(manual, 'DIRECT'));
  assert.equal(await find('https://h/', 'h.example'), 'PROXY one.example:1; DIRECT');
  assert.equal(await find('http://h/', 'h.example'), 'SOCKS socks.example:1080');
});
