import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partsOf } from '../../../../scripts/testing/changed/source-parts.ts';
import { untouchedParts } from '../../../../scripts/testing/changed/untouched-parts.ts';

const BODY = `
export const uses = () => LIMIT + 1;
export function other() {
  return 'LIMITED';
}
`;
/** The functions that use nothing of `src/limits.ts`. */
function untouched(imports: string, mentions = 1, body = BODY): string[] {
  const source = { file: 'src/a.ts', text: imports + body };
  const digests = untouchedParts(source, 'src/limits.ts', mentions);
  return partsOf(source.file, source.text)
    .filter(({ digest }) => digests.has(digest))
    .map(({ text }) => (text.startsWith('import') ? 'outside' : text.slice(0, 8)));
}

test('only what mentions an imported name uses the file', () => {
  assert.deepEqual(untouched("import { LIMIT } from './limits.ts';"), ['outside', 'function']);
  assert.deepEqual(untouched("import { MAX as LIMIT } from './limits.ts';"), ['outside', 'function']);
  const table = `${BODY}const TABLE = [LIMIT];\n`;
  assert.deepEqual(untouched("import { LIMIT } from './limits.ts';", 1, table), ['function']);
});

test('everything may use a file that is not only imported by names', () => {
  assert.deepEqual(untouched("import * as limits from './limits.ts';"), []);
  assert.deepEqual(untouched("import './limits.ts';"), []);
  assert.deepEqual(
    untouched("import { LIMIT } from './limits.ts';", 2),
    [],
    'a thread or a file that it reads',
  );
  assert.deepEqual(untouched("export { LIMIT } from './limits.ts';"), []);
});
