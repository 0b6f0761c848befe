import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeText } from '../../../apps/cloud/src/scrape/decode-text.ts';

const latin = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));
const utf8 = (text: string) => new TextEncoder().encode(text);

describe('the charset of a page', () => {
  it('is what the byte order mark says, whatever the header says', () => {
    const utf16 = Uint8Array.of(0xff, 0xfe, 0x68, 0, 0xe9, 0);
    assert.equal(decodeText(utf16, 'text/html; charset=utf-8'), 'hé');
    assert.equal(decodeText(Uint8Array.of(0xfe, 0xff, 0, 0x68), 'text/html'), 'h');
    assert.equal(decodeText(Uint8Array.of(0xef, 0xbb, 0xbf, 0x68), 'text/html; charset=koi8-r'), 'h');
  });

  it('is otherwise that of the header', () => {
    assert.equal(decodeText(latin('caf\xe9'), 'text/html; charset=iso-8859-1'), 'café');
    assert.equal(decodeText(latin('\xcf\xf0\xe8'), 'text/html;charset="windows-1251"'), 'При');
    assert.equal(decodeText(Uint8Array.of(0x82, 0xa0), 'text/html; charset=Shift_JIS'), 'あ');
  });

  it('is otherwise what the page itself declares', () => {
    assert.equal(decodeText(latin('<meta charset=windows-1251>\xcf'), 'text/html').slice(-1), 'П');
    const old = '<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">\xf0';
    assert.equal(decodeText(latin(old), 'text/html; charset=what-is-this').slice(-1), 'П');
    const xml = '<?xml version="1.0" encoding="ISO-8859-2"?><a>\xb1</a>';
    assert.match(decodeText(latin(xml), 'text/xml'), /ą/);
    assert.equal(decodeText(utf8('<meta charset="utf-16">é'), 'text/html').slice(-1), 'é');
  });

  it('is otherwise UTF-8 if the bytes are valid, and else what browsers assume', () => {
    assert.equal(decodeText(utf8('naïve 日本'), 'text/plain'), 'naïve 日本');
    assert.equal(decodeText(latin('na\xefve'), 'text/plain'), 'naïve');
    assert.equal(decodeText(latin('na\xefve'), 'text/plain; charset='), 'naïve');
  });
});
