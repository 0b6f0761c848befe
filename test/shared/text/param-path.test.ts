import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messagePathOf, paramOf } from '@csg/shared/text';

test('"the path of the text …, with dots and brackets down to the leaf"', () => {
  assert.equal(paramOf('/messages/12/content/0/text'), 'messages[12].content[0].text');
  assert.equal(paramOf('/input/3/output'), 'input[3].output');
  assert.equal(paramOf('/system'), 'system');
});

test('names that dots cannot express are in brackets, and read back unchanged', () => {
  assert.equal(paramOf('/metadata/a.b c/x~1y~0z'), 'metadata["a.b c"]["x/y~z"]');
  assert.equal(paramOf('/a"]b/0'), '["a\\"]b"][0]');
  assert.equal(paramOf('/'), '[""]');
});

test('a part within a value is named by the value; a position outside the body is not named', () => {
  assert.equal(
    paramOf('/messages/0/content/0/file/file_data~pdf/visible/0'),
    'messages[0].content[0].file.file_data',
  );
  assert.equal(paramOf('/messages/0/content~json/17~key'), 'messages[0].content');
  for (const path of ['#stream:/choices/0/content', '#joined:/messages/0', '#overflow', '']) {
    assert.equal(paramOf(path), null, path);
  }
});

test('the message of a slot is the first two steps of its path', () => {
  for (const [path, message] of [
    ['/messages/3/content/0/text', '/messages/3'],
    ['/messages/3', '/messages/3'],
    ['#joined:/messages/3/content', '/messages/3'],
    ['/system', '/system'],
    ['', ''],
  ] as const) {
    assert.equal(messagePathOf({ path }), message, path);
  }
});
