import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRequest } from '../../../apps/desktop/src/inspect/read-request.ts';
import type { RequestBody } from '../../../apps/desktop/src/inspect/request-reading.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const read = (kind: 'json' | 'form' | 'text', text: string, host = 'chatgpt.com', path = '/x') =>
  readRequest({ method: 'POST', host, path, body: { kind, bytes: bytes(text) } });
const textsOf = (reading: ReturnType<typeof read>) =>
  reading.slots.filter(({ isKey }) => isKey !== true).map(({ text }) => text);
/** Every text becomes `*`. */
const starred = (reading: ReturnType<typeof read>) =>
  reading.write(
    new Map(
      reading.slots.map(({ text, isKey }, i) => [
        i,
        isKey ? [] : [{ start: 0, end: text.length, text: '*' }],
      ]),
    ),
  );

test('by the host, and by the path of an unknown host', () => {
  const body = '{"messages":[{"role":"user","content":"my question"}]}';
  assert.equal(read('json', body, 'api.openai.com', '/v1/chat/completions').format?.name, 'openai-chat');
  assert.equal(read('json', body, 'llm.corp.example', '/v1/chat/completions?x').format?.name, 'openai-chat');
  assert.equal(read('json', body, 'chatgpt.com', '/backend-api/conversation').format?.name, 'chatgpt-web');
  assert.equal(read('json', body, 'chatgpt.com', '/other').format, null);
});

test('JSON of any shape, JSON in lines, and what only looks like JSON', () => {
  assert.deepEqual(textsOf(read('json', '{"x":["one","two"]}')), ['one', 'two']);
  const lines = read('json', '{"x":"one"}\n{"x":"two"}\n');
  assert.deepEqual(textsOf(lines), ['one', 'two']);
  assert.equal(starred(lines).body, '{"x":"*"}\n{"x":"*"}\n');
  assert.deepEqual(textsOf(read('json', '{"x": broken')), ['{"x": broken']);
});

test('a body that two readers could read differently is refused where a provider reads it, noted elsewhere', () => {
  const doubled = '{"messages":[],"messages":[{"role":"user","content":"hidden"}]}';
  const known = read('json', doubled, 'api.openai.com', '/v1/chat/completions');
  assert.deepEqual([known.isAmbiguous, known.problem === null], [true, false]);
  const unknown = read('json', doubled);
  assert.deepEqual([unknown.isAmbiguous, unknown.problem === null], [false, false]);
  assert.ok(
    unknown.slots.some(({ text }) => text.includes('hidden')),
    'still looked at',
  );
});

test('forms, with JSON in a field as Gemini sends it', () => {
  const inner = JSON.stringify([null, JSON.stringify([['my question']])]);
  const form = read('form', new URLSearchParams({ 'f.req': inner, at: 'token' }).toString());
  assert.ok(textsOf(form).some((text) => text.includes('my question')));
  assert.ok(textsOf(form).includes('token'));
  const plain = read('form', 'a=one+1&b=two&a=three');
  assert.equal(starred(plain).body, 'a=*&b=*&a=*');
});

test('fields and files of an upload, each in its place', () => {
  const parts = [
    { name: 'q', fileName: null, text: 'what is this' },
    { name: 'f', fileName: 'a.json', text: '{"deep":"inside"}' },
    { name: 'p', fileName: 'p.png', text: null },
  ];
  const source = '--b\r\n\r\nwhat is this\r\n--b\r\n\r\n{"deep":"inside"}\r\n--b--';
  const body: RequestBody = { kind: 'parts', bytes: bytes(source), parts };
  const reading = readRequest({ method: 'POST', host: 'x', path: '/', body });
  assert.deepEqual(
    reading.unscanned.map(({ reason }) => reason),
    ['unsupported_type'],
  );
  const written = starred(reading).body;
  assert.equal(
    new TextDecoder().decode(written as Uint8Array),
    '--b\r\n\r\n*\r\n--b\r\n\r\n{"deep":"*"}\r\n--b--',
  );
});

test('a prompt in the address, read and masked', () => {
  const reading = readRequest({
    method: 'GET',
    host: 'x',
    path: '/s?q=my+long+question&v=123456789',
    body: { kind: 'none' },
  });
  assert.deepEqual(textsOf(reading), ['my long question']);
  assert.deepEqual(starred(reading), { body: null, path: '/s?q=*&v=123456789' });
});

test('what is masked in the address alone leaves the body as it was sent', () => {
  const reading = read('json', '{"x": "my body text"}', 'chatgpt.com', '/s?q=my+long+question');
  assert.deepEqual(textsOf(reading), ['my body text', 'my long question']);
  assert.deepEqual(starred(reading), { body: '{"x": "*"}', path: '/s?q=*' });
  const last = reading.slots.length - 1;
  const inAddress = new Map([[last, [{ start: 0, end: 2, text: '*' }]]]);
  assert.deepEqual(reading.write(inAddress), { body: null, path: '/s?q=*+long+question' });
});

test('a mark of the byte order stays where it was', () => {
  const marked = read('text', '\uFEFFsome words');
  const written = marked.write(new Map([[0, [{ start: 1, end: 5, text: '*' }]]]));
  assert.equal(written.body, '\uFEFF* words');
});

test('text, and what is none', () => {
  assert.equal(starred(read('text', 'some words')).body, '*');
  const broken = readRequest({
    method: 'POST',
    host: 'x',
    path: '/',
    body: { kind: 'text', bytes: new Uint8Array([0xff]) },
  });
  assert.match(broken.problem ?? '', /UTF-8/);
  const opaque = readRequest({ method: 'POST', host: 'x', path: '/', body: { kind: 'opaque' } });
  assert.deepEqual([opaque.problem, opaque.slots.length, opaque.unscanned.length], [null, 0, 1]);
});
