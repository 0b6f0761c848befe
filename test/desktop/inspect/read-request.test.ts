import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRequest } from '../../../apps/desktop/src/inspect/read-request.ts';
import type { RequestBody } from '../../../apps/desktop/src/inspect/request-reading.ts';
import { protoMessage } from '../../support/desktop/connect-frames.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const read = (kind: 'json' | 'form' | 'text', text: string, host = 'chatgpt.com', path = '/x') =>
  readRequest({ method: 'POST', host, path, body: { kind, bytes: bytes(text) } });
const textsOf = (reading: ReturnType<typeof read>) =>
  reading.slots.filter(({ isKey }) => isKey !== true).map(({ text }) => text);
/** Replaces every text by `*`. */
const starred = (reading: ReturnType<typeof read>) =>
  reading.write(
    new Map(
      reading.slots.map(({ text, isKey }, i) => [
        i,
        isKey ? [] : [{ start: 0, end: text.length, text: '*' }],
      ]),
    ),
  );

test('the format is chosen by host, or by path for an unknown host', () => {
  const body = '{"messages":[{"role":"user","content":"my question"}]}';
  assert.equal(read('json', body, 'api.openai.com', '/v1/chat/completions').format?.name, 'openai-chat');
  assert.equal(read('json', body, 'llm.corp.example', '/v1/chat/completions?x').format?.name, 'openai-chat');
  assert.equal(read('json', body, 'chatgpt.com', '/backend-api/conversation').format?.name, 'chatgpt-web');
  assert.equal(read('json', body, 'chatgpt.com', '/other').format, null);
});

test('reads JSON of any shape, JSON lines, and invalid JSON as text', () => {
  assert.deepEqual(textsOf(read('json', '{"x":["one","two"]}')), ['one', 'two']);
  const lines = read('json', '{"x":"one"}\n{"x":"two"}\n');
  assert.deepEqual(textsOf(lines), ['one', 'two']);
  assert.equal(starred(lines).body, '{"x":"*"}\n{"x":"*"}\n');
  assert.deepEqual(textsOf(read('json', '{"x": broken')), ['{"x": broken']);
});

test('an ambiguous body is rejected at a provider’s endpoint, and only reported elsewhere', () => {
  const doubled = '{"messages":[],"messages":[{"role":"user","content":"hidden"}]}';
  const known = read('json', doubled, 'api.openai.com', '/v1/chat/completions');
  assert.deepEqual([known.isAmbiguous, known.problem === null], [true, false]);
  const unknown = read('json', doubled);
  assert.deepEqual([unknown.isAmbiguous, unknown.problem === null], [false, false]);
  assert.ok(
    unknown.slots.some(({ text }) => text.includes('hidden')),
    'still read',
  );
});

test('reads forms, with JSON in a field as Gemini sends it', () => {
  const inner = JSON.stringify([null, JSON.stringify([['my question']])]);
  const form = read('form', new URLSearchParams({ 'f.req': inner, at: 'token' }).toString());
  assert.ok(textsOf(form).some((text) => text.includes('my question')));
  assert.ok(textsOf(form).includes('token'));
  const plain = read('form', 'a=one+1&b=two&a=three');
  assert.equal(starred(plain).body, 'a=*&b=*&a=*');
});

test('fields and files of an upload are read and masked in place', () => {
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

test('a prompt in the URL is read and masked', () => {
  const reading = readRequest({
    method: 'GET',
    host: 'x',
    path: '/s?q=my+long+question&v=123456789',
    body: { kind: 'none' },
  });
  assert.deepEqual(textsOf(reading), ['my long question']);
  assert.deepEqual(starred(reading), { body: null, path: '/s?q=*&v=123456789' });
});

test('masking only the URL leaves the body as it was sent', () => {
  const reading = read('json', '{"x": "my body text"}', 'chatgpt.com', '/s?q=my+long+question');
  assert.deepEqual(textsOf(reading), ['my body text', 'my long question']);
  assert.deepEqual(starred(reading), { body: '{"x": "*"}', path: '/s?q=*' });
  const last = reading.slots.length - 1;
  const inAddress = new Map([[last, [{ start: 0, end: 2, text: '*' }]]]);
  assert.deepEqual(reading.write(inAddress), { body: null, path: '/s?q=*+long+question' });
});

test('a byte order mark stays in place', () => {
  const marked = read('text', '\uFEFFsome words');
  const written = marked.write(new Map([[0, [{ start: 1, end: 5, text: '*' }]]]));
  assert.equal(written.body, '\uFEFF* words');
});

test('reads text, and reports bytes that are not text', () => {
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

test('each text is written in place, and every other one stays', () => {
  for (const [kind, text, path] of [
    [
      'json',
      '{"a":"first text","b":["second text",{"c":"third text"}]}',
      '/x?q=a+question&v=1&text=another+one',
    ],
    ['json', '{"a":"first text"}\n\n{"b":["second text", "third text"]}\n', '/x?q=short&query=a+question'],
    [
      'form',
      `${new URLSearchParams({ a: '["first text","second text"]', b: 'third text', c: ' ', d: '{"e":"fourth text"}', f: '{ no JSON' })}`,
      '/x?prompt=a+question',
    ],
    ['text', 'first text', '/x?message=a+question&input=another+one'],
  ] as const) {
    const reading = read(kind, text, 'chatgpt.com', path);
    const texts = textsOf(reading);
    assert.ok(texts.length > 2);
    let at = 0;
    for (const [i, slot] of reading.slots.entries()) {
      if (slot.isKey === true) continue;
      const written = reading.write(
        new Map([[i, [{ start: 0, end: slot.text.length, text: 'masked words' }]]]),
      );
      const again = read(kind, String(written.body ?? text), 'chatgpt.com', written.path ?? path);
      assert.deepEqual(textsOf(again), texts.with(at++, 'masked words'), `${text} ${slot.path}`);
      assert.equal(written.path === null, !slot.path.startsWith('#query/'), slot.path);
    }
  }
});

test('without masks nothing is rewritten', () => {
  const parts = [{ name: 'q', fileName: null, text: 'what is this' }];
  const uploaded = readRequest({
    ...{ method: 'POST', host: 'x', path: '/' },
    body: { kind: 'parts', bytes: bytes('--b\r\n\r\nwhat is this\r\n--b--'), parts },
  });
  for (const reading of [read('json', '{"a":"text"}'), read('json', '{"a":"text"}\n{"a":"text"}'), uploaded])
    assert.deepEqual(reading.write(new Map()), { path: null, body: null });
});

test('only query parameters that may contain a prompt are read, unless too short', () => {
  for (const [path, texts] of [
    ['/x', []],
    ['/x?q=12345', []],
    ['/x?q=123456', ['123456']],
    ['/x?id=123456', []],
    ['/x?question=one+two&question=three+four', ['one two', 'three four']],
  ] as const)
    assert.deepEqual(textsOf(read('text', ' ', 'x', path)), texts, path);
});

test('a body of an unexpected shape is read whole; invalid JSON is rejected at a provider’s endpoint', () => {
  const odd = read('json', '{"messages":7,"x":"some words"}', 'api.openai.com', '/v1/chat/completions');
  assert.deepEqual([odd.format?.name, odd.problem, textsOf(odd)], ['openai-chat', null, ['some words']]);
  const broken = read('json', '{"x": broken', 'api.openai.com', '/v1/chat/completions');
  assert.deepEqual([broken.isAmbiguous, broken.problem === null, broken.slots], [true, false, []]);
  assert.deepEqual(textsOf(read('json', '{"x":"one"}\nand more')), ['{"x":"one"}\nand more']);
});

test('whitespace is not a text, and an upload’s field is named by its file, or else itself', () => {
  assert.deepEqual(read('text', ' \n').slots, []);
  const parts = [
    { name: 'a', fileName: 'notes.txt', text: 'first text' },
    { name: 'b', fileName: null, text: 'second text' },
    { name: 'c', fileName: null, text: ' ' },
  ];
  const reading = readRequest({
    ...{ method: 'POST', host: 'x', path: '/' },
    body: { kind: 'parts', bytes: bytes(''), parts },
  });
  assert.deepEqual(
    reading.slots.map(({ path }) => path),
    ['#field/notes.txt', '#field/b'],
  );
  assert.deepEqual(reading.unscanned, []);
});

test('every text of protobuf messages is read, and other bytes are reported', () => {
  const proto = (fields: Parameters<typeof protoMessage>[0]) => ({
    ...{ codec: 'proto' as const, bytes: protoMessage(fields) },
  });
  const readAll = (...messages: ReturnType<typeof proto>[]) =>
    readRequest({ method: 'POST', host: 'x', path: '/', body: { kind: 'messages', messages } });
  const whole = readAll(proto([[1, 'first text']]), proto([[2, 'second text']]));
  assert.deepEqual(
    whole.slots.map(({ path, text }) => [path, text]),
    [
      ['#message/1', 'first text'],
      ['#message/2', 'second text'],
    ],
  );
  assert.deepEqual([whole.problem, whole.unscanned], [null, []]);
  const sealed = readAll(proto([[1, 'first text']]), proto([[2, new Uint8Array(100).fill(0xff)]]));
  assert.deepEqual([sealed.problem, sealed.unscanned.length], [null, 1]);
  const cut = readAll(proto([[1, 'first text']]), { codec: 'proto', bytes: new Uint8Array([0x0a, 0x7f, 1]) });
  assert.deepEqual([cut.problem, textsOf(cut)], ['A message could not be parsed.', ['first text']]);
});

test('each field of a form gets its own replacements, and the others stay unchanged', () => {
  const form = 'a=%7B+%22x%22%3A%22one%22+%7D&b=two&c=12&d=%22quoted%22';
  const reading = read('form', form);
  assert.deepEqual(
    reading.slots.filter(({ isKey }) => isKey !== true).map(({ path, text }) => [path, text]),
    [
      ['/x', 'one'],
      ['#field/b', 'two'],
      ['#field/c', '12'],
      ['#field/d', '"quoted"'],
    ],
  );
  const indexOf = (wanted: string) => reading.slots.findIndex(({ text }) => text === wanted);
  const written = (wanted: string) =>
    reading.write(new Map([[indexOf(wanted), [{ start: 0, end: wanted.length, text: '*' }]]])).body;
  assert.equal(written('two'), form.replace('two', '*'));
  assert.equal(written('12'), form.replace('12', '*'));
  assert.equal(written('one'), 'a=%7B+%22x%22%3A%22*%22+%7D&b=two&c=12&d=%22quoted%22');
});
