import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  findLinks,
  findNames,
  isListed,
  normalDomain,
} from '../../../../shared/detection/policies/domains.ts';
import { assertLinear } from '../../../support/cpu-time.ts';

const names = (text: string) =>
  findNames(text).map(({ start, end, domain }) => {
    assert.ok(text.slice(start, end).length > 0);
    return domain;
  });
const links = (text: string) => findLinks(text).map(({ domain }) => domain);

describe('domains in a text', () => {
  test('are found in links and outside, in any case and alphabet', () => {
    assert.deepEqual(names('See https://Sub.Evil.example/path?x=a.b and mail bob@evil.example.'), [
      'sub.evil.example',
      'a.b',
      'evil.example',
    ]);
    assert.deepEqual(names('bücher.example, 例え.テスト'), [
      'xn--bcher-kva.example',
      'xn--r8jz45g.xn--zckzah',
    ]);
    assert.deepEqual(names('no domain here. Nor here... or .hidden'), []);
  });

  test('take linear time, also in texts of dots and of letters', () => {
    for (const unit of ['.', 'a', 'a.', '//']) {
      const make = (size: number) => unit.repeat(size / unit.length);
      assertLinear(`names in ${unit}`, make, names, 10_000);
      assertLinear(`links in ${unit}`, make, links, 10_000);
    }
  });

  test('links return the host that is actually requested', () => {
    assert.deepEqual(links('http://good.example@evil.example/x'), ['evil.example']);
    assert.deepEqual(links('[a](//evil.example/x) <img src="//also.example">'), [
      'evil.example',
      'also.example',
    ]);
    assert.deepEqual(links('Go to www.evil.example/path, not to this.example'), ['www.evil.example']);
    assert.deepEqual(links('https://EVIL.example:8443/ and ftp://files.example'), [
      'evil.example',
      'files.example',
    ]);
    assert.deepEqual(links('https://evil%2Eexample/x'), ['evil.example']);
    assert.deepEqual(links('a // comment, and a path C://x'), []);
  });

  test('a domain is listed with all its subdomains', () => {
    const list = new Set(['evil.example']);
    assert.equal(isListed('evil.example', list), true);
    assert.equal(isListed('a.b.evil.example', list), true);
    assert.equal(isListed('notevil.example', list), false);
    assert.equal(isListed('example', list), false);
    assert.equal(normalDomain(' Evil.Example. '), 'evil.example');
    assert.equal(normalDomain('not a domain'), null);
    assert.equal(normalDomain('localhost'), null);
    assert.equal(normalDomain('evil.example/path'), null);
  });
});
