import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readPageType } from '../../../apps/cloud/src/scrape/fetch-page.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

it('recognizes the kinds of text by their media type', () => {
  for (const [type, kind] of [
    ['text/html; charset=utf-8', 'html'],
    ['application/xhtml+xml', 'html'],
    ['TEXT/HTML', 'html'],
    ['image/svg+xml', 'html'],
    ['text/plain', 'text'],
    ['text/markdown', 'text'],
    ['application/json', 'json'],
    ['application/ld+json', 'json'],
    ['application/xml', 'xml'],
    ['application/atom+xml', 'xml'],
    ['application/pdf', 'pdf'],
    ['image/png', 'other'],
    ['application/zip', 'other'],
    ['application/octet-stream', 'other'],
  ] as const) {
    assert.equal(readPageType(type, bytes('x')), kind, type);
  }
});

it('inspects the bytes if no type is named, and for a PDF in disguise', () => {
  assert.equal(readPageType('', bytes('<!DOCTYPE html><p>hi')), 'html');
  assert.equal(readPageType('', bytes('just words')), 'text');
  assert.equal(readPageType('', Uint8Array.of(0x89, 0x50, 0, 1)), 'other');
  assert.equal(readPageType('text/html', bytes('%PDF-1.7')), 'pdf');
});
