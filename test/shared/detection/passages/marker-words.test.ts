import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markingOf } from '../../../../shared/detection/passages/marker-words.ts';

const NAMES = {
  document: [
    'document',
    'search_results',
    'kb:article',
    'retrievedChunk',
    'customer-email',
    'tool_output',
    'context',
  ],
  example: ['example', 'good_example', 'few-shot', 'sampleDocument'],
  own: [
    'instructions',
    'env',
    'system-reminder',
    'output_format',
    'document_guidelines',
    'userRequirements',
    'output',
  ],
  unknown: ['div', 'acme', 'b', ''],
};

test('the words of a tag or label name determine what it marks', () => {
  for (const [marking, names] of Object.entries(NAMES))
    for (const name of names) assert.equal(markingOf(name), marking, name);
});
