import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startGateway, type TestGateway } from '../../support/gateway.ts';

const DOCS = path.resolve(import.meta.dirname, '../../../docs');

describe('the guide', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway();
  });
  after(() => gateway.close());
  const read = async (target: string) => {
    const response = await gateway.call('GET', target, { key: null });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  test('serves every page of docs/, and every link between them has a target', async () => {
    const names = readdirSync(DOCS)
      .filter((file) => file.endsWith('.md') && file !== 'README.md')
      .map((file) => file.slice(0, -3));
    const pages = new Map<string, string>();
    for (const name of names) {
      const { status, text, headers } = await read(`/docs/guide/${name}`);
      assert.equal(status, 200, name);
      assert.match(headers.get('content-type') ?? '', /^text\/html/);
      assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/);
      pages.set(name, text);
    }
    assert.match(pages.get('policies')!, /<pre tabindex="0">/);
    for (const [name, text] of pages) assert.ok(!text.includes('127.0.0.1:8787'), `${name}: not our address`);
    assert.ok(pages.get('quick-start')!.includes(gateway.address), 'commands name this service');
    const index = (await read('/docs/guide')).text;
    for (const name of names)
      assert.match(index, new RegExp(`/docs/guide/${name}"`), `${name} is not in the index`);
    for (const [name, text] of pages) {
      assert.doesNotMatch(text, /href="[^"]*\.(md|ts)\b/, `${name} links to a file of the repository`);
      for (const [, page = '', anchor] of text.matchAll(/href="\/docs\/guide\/([\w-]+)(?:#([\w-]+))?"/g)) {
        if (page === 'search') continue;
        const target = pages.get(page);
        assert.ok(target !== undefined, `${name} links to ${page}`);
        if (anchor !== undefined)
          assert.match(target, new RegExp(`id="${anchor}"`), `${name} links to ${page}#${anchor}`);
      }
    }
  });

  test('begins with the first steps, and lists every page once beside them', async () => {
    const { text } = await read('/docs/guide');
    const [, steps = ''] = /<h2>First steps<\/h2><ol>(.*?)<\/ol>/.exec(text) ?? [];
    const names = (html: string) =>
      [...html.matchAll(/href="\/docs\/guide\/([\w-]+)"/g)]
        .map(([, name]) => name)
        .filter((name) => name !== 'guide');
    assert.deepEqual(names(steps), [
      'quick-start',
      'accounts',
      'clients',
      'policies',
      'devices',
      'deployment',
    ]);
    const others = names(text.replace(steps, ''));
    assert.equal(new Set(others).size, others.length, others.join());
    assert.doesNotMatch(text, /<nav class="menu"/);
    assert.match((await read('/docs/guide/policies')).text, /<nav class="menu"/);
  });

  test('finds sections by all words, and links to them', async () => {
    const { status, text } = await read('/docs/guide/search?q=rotate+key');
    assert.equal(status, 200);
    assert.match(text, /href="\/docs\/guide\/(keys|master-key)#/);
    assert.match((await read('/docs/guide/search?q=zzzzqqqq')).text, /No results/);
    assert.equal((await read('/docs/guide/search')).status, 200);
  });

  test('escapes the search text, and cuts a long one', async () => {
    const { text } = await read(`/docs/guide/search?q=${encodeURIComponent('<script>alert(1)</script>')}`);
    assert.doesNotMatch(text, /<script>/);
    const long = await read(`/docs/guide/search?q=${'a'.repeat(10_000)}`);
    assert.equal(long.status, 200);
    assert.ok(!long.text.includes('a'.repeat(201)));
    assert.equal((await read('/docs/guide/search?q=a&q=b')).status, 200);
  });

  test('has a page for an unknown page that says so', async () => {
    const { status, text } = await read('/docs/guide/no-such-page');
    assert.equal(status, 404);
    assert.match(text, /Page not found/);
  });
});
