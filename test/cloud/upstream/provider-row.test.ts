import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readProviderRows } from '../../../apps/cloud/src/upstream/provider-row.ts';

const row = { name: 'local', base_url: 'http://127.0.0.1:11434', dialects: ['openai-chat'] };

describe('readProviderRows', () => {
  it('accepts rows with every field, and with the required ones alone', () => {
    const full = {
      ...row,
      name: 'full-1',
      label: 'Full',
      default_for: ['models'],
      credential: 'x-api-key',
      bearer_dialects: ['openai-chat'],
      bearer_prefixes: ['oat-'],
      model_patterns: ['a*', 'b'],
      pass_headers: ['x-title', 'acme-*'],
      default_headers: { 'acme-version': '2' },
      reply_headers: ['acme-*'],
      request_id_header: 'acme-id',
      paths: { 'openai-chat': '/chat' },
      guarded: true,
    };
    assert.deepEqual(readProviderRows([row, full]), { rows: [row, full], problems: [] });
  });

  const BAD: [string, unknown, string[]][] = [
    ['a value that is no list', { name: 'x' }, ['must be a JSON list of providers']],
    [
      'a missing field',
      [{ name: 'x', dialects: ['models'] }],
      ["provider 1 must have required property 'base_url'"],
    ],
    [
      'an unknown field',
      [row, { ...row, key: 'x' }],
      ['provider 2 must NOT have additional properties (key)'],
    ],
    ['an invalid name', [{ ...row, name: 'My models' }], ['provider 1 name must match pattern']],
    [
      'an unknown dialect',
      [{ ...row, dialects: ['soap'] }],
      ['provider 1 dialects.0 must be one of anthropic-messages, '],
    ],
    ['no dialect', [{ ...row, dialects: [] }], ['provider 1 dialects must NOT have fewer than 1 items']],
    [
      'a pattern with two stars',
      [{ ...row, model_patterns: ['a*b*'] }],
      ['provider 1 model_patterns.0 must match'],
    ],
    [
      'a header that breaks the line',
      [{ ...row, default_headers: { 'x-a': 'a\r\nb' } }],
      ['default_headers.x-a must'],
    ],
    [
      'a header in capitals',
      [{ ...row, pass_headers: ['X-Title'] }],
      ['provider 1 pass_headers.0 must match'],
    ],
    ['a path without a slash', [{ ...row, paths: { models: 'v1' } }], ['provider 1 paths.models must match']],
    ['several problems', [{}, null], ['provider 1 must', 'provider 2 must be object']],
  ];
  for (const [what, json, due] of BAD) {
    it(`reports what is wrong with ${what}`, () => {
      const { problems: faults } = readProviderRows(json);
      for (const text of due) {
        assert.ok(
          faults.some((fault) => fault.includes(text)),
          `${text} is not in ${faults.join(' | ')}`,
        );
      }
    });
  }
});
