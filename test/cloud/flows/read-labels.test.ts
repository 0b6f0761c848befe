import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createReadLabels } from '../../../apps/cloud/src/flows/read-labels.ts';

const read = createReadLabels();
const tagsOf = (tags: string): readonly string[] => read({ 'x-service-tags': tags }, null)?.tags ?? [];

test('a request without labels has none', () => {
  assert.equal(read({}, null), null);
  assert.equal(read({ 'x-service-session': ' ', 'x-service-tags': '' }, { messages: [] }), null);
});

test('the session of the header counts, else that of the body', () => {
  const guard = { context: { session_id: 'chat-81' } };
  assert.equal(read({ 'x-service-session': ' run 7 ' }, guard)?.session, 'run 7');
  assert.equal(read({}, guard)?.session, 'chat-81');
  assert.equal(read({}, { session_id: 's-1' })?.session, 's-1');
  assert.equal(read({}, { session_id: 7 }), null);
});

test('tags are sorted, and the first of a name counts', () => {
  assert.deepEqual(tagsOf('team=red, app=Nacht Bus,team=blue'), ['app=Nacht Bus', 'team=red']);
});

test('malformed tags and those beyond eight are left out', () => {
  assert.deepEqual(tagsOf('=x,a,b=,c c=1,d=\u202e1,ok=1'), ['ok=1']);
  assert.deepEqual(tagsOf(`a=${'x'.repeat(62)},b=${'x'.repeat(63)}`), [`a=${'x'.repeat(62)}`]);
  const many = Array.from({ length: 9 }, (_, n) => `t${n}=1`);
  assert.deepEqual(tagsOf(many.join()), many.slice(0, 8));
  assert.equal(read({ 'x-service-session': 'x'.repeat(129) }, null), null);
});

test('personal data and secrets are masked', () => {
  assert.deepEqual(tagsOf('user=ana@example.com,team=red'), ['team=red', 'user=[EMAIL]']);
  const key = `sk-proj-${'aB3dE6gH9jK2mN5pQ8sT'.repeat(2)}`;
  assert.equal(read({ 'x-service-session': `run ${key}` }, null)?.session, 'run [API_KEY]');
});
