import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { readJsonLines, readSections } from '../read-texts.ts';

function fileOf(text: string): URL {
  const file = path.join(tempFolder('texts'), 'texts.txt');
  writeFileSync(file, text);
  return pathToFileURL(file);
}

test('sections keep their order, their repeated names and lines that look like marks', () => {
  const file = fileOf(
    '# About them.\n\n== b\n###\n== not a name ==\n\n== a\none\n# more\ntwo\n\n== b\nthree\n',
  );
  assert.deepEqual(readSections(file), [
    ['b', ['###', '== not a name ==']],
    ['a', ['one', 'two']],
    ['b', ['three']],
  ]);
});

test('a text before the first section is an error that names it', () => {
  assert.throws(() => readSections(fileOf('# About.\nlost\n== a\none\n')), /"lost" belongs to no section/);
});

test('JSON lines are read in order', () => {
  assert.deepEqual(readJsonLines(fileOf('{"a":1}\n\n{"a":"\\n"}\n')), [{ a: 1 }, { a: '\n' }]);
});
