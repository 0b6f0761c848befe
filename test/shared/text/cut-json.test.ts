import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { partialParse } from '@anthropic-ai/sdk/_vendor/partial-json-parser/parser';
import { closeCutJson } from '../../../shared/text/index.ts';
import { createRandom } from '../../support/random.ts';

const WHOLE =
  '{"command":"rm \\"a\\\\\\" {[,:","n":[1.5e-3,-2, 30 ,{"deep":[[],{}]}],"yes":true,"no":false,"none":null,"é":"\\u00e9"}';

/** What Anthropic's package gives to its program; undefined: it throws. */
function parsedByPackage(text: string): unknown {
  try {
    return partialParse(text);
  } catch {
    return undefined;
  }
}

function closed(text: string): unknown {
  const json = closeCutJson(text);
  try {
    return json === null ? undefined : JSON.parse(json);
  } catch {
    return undefined;
  }
}

describe('JSON that is cut off', () => {
  test('is closed as by the package, at each of its characters', () => {
    for (let end = 0; end <= WHOLE.length; end++) {
      const text = WHOLE.slice(0, end);
      assert.deepEqual(closed(text), parsedByPackage(text), text);
    }
    assert.equal(closeCutJson('{"to":"eve","lines":[1,2'), '{"to":"eve","lines":[1]}');
  });

  test('gives what the package gives for texts that were changed anywhere', () => {
    const random = createRandom(5);
    let parsed = 0;
    for (let left = 4000; left > 0; left--) {
      const at = random.below(WHOLE.length);
      const other = random.pick(['"', '{', '}', ']', ',', ':', '\\', 'x', 'tru', '7', ' ', '']);
      const text =
        WHOLE.slice(0, at) + other + WHOLE.slice(at + random.below(2), at + 1 + random.below(WHOLE.length));
      const expected = parsedByPackage(text);
      if (expected === undefined) continue;
      parsed++;
      assert.deepEqual(closed(text), expected, text);
    }
    assert.ok(parsed > 500, `${parsed} texts`);
  });

  test('is no JSON if it holds anything else', () => {
    for (const text of ['{"a":1}x', 'no JSON', '{"a":[1}', '{"a":tru,'])
      assert.equal(closeCutJson(text), null);
  });
});
