/** Streamed responses through the real proxy of a device, split at random: what is sent, and what is recorded. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import type { ClientHttp2Session } from 'node:http2';
import { after, before, test } from 'node:test';
import { createGzip } from 'node:zlib';
import { decideFindings } from '@csg/shared/decision';
import { compileRuleset, type RulesetInput, scan, Workspace } from '@csg/shared/detection';
import { formatByName } from '@csg/shared/providers';
import { createStreamDelivery } from '../../../apps/desktop/src/exchange/stream-delivery.ts';
import { compilePolicy } from '../../../apps/desktop/src/inspect/compile-policy.ts';
import type { EvaluationTools } from '../../../apps/desktop/src/inspect/evaluate-reading.ts';
import { SECRET_KINDS } from '../../../shared/detection/secrets/kinds.ts';
import { openHttp2 } from '../../support/desktop/clients.ts';
import { startTestStack, type TestStack, testPolicy } from '../../support/desktop/test-stack.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { sampleOf } from '../../support/sample-of.ts';
import { sensitiveValue, VALUE_FORMS } from '../../support/sensitive-values.ts';
import { until } from '../../support/until.ts';

/** For more: `DEVICE_SPLITS=5000 DEVICE_SEED=7 node_modules/node/bin/node <this file>`. */
const SPLITS = Number(process.env['DEVICE_SPLITS'] ?? 300);
const FIRST = Number(process.env['DEVICE_SEED'] ?? 0) * 1_000_000 + 1;
const KEY = `AKIA${'IOSFODNN7'}${'QWERTYU'}`;
const RULESETS: readonly RulesetInput[] = [
  { useCase: 'default', strictness: 'moderate', policies: [] },
  {
    useCase: 'support_bot',
    strictness: 'strict',
    policies: [{ id: 'p', action: 'block', threatTypes: ['pii_leak', 'secret_leak', 'hidden_content'] }],
  },
];
const workspace = new Workspace();

const frame = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;
const KINDS = [
  {
    format: 'openai-chat',
    path: '/v1/chat/completions',
    host: 'api.openai.com',
    piece: (content: string) => frame({ id: 'c', choices: [{ index: 0, delta: { content } }] }),
    last: 'data: [DONE]\n\n',
  },
  {
    format: 'openai-responses',
    path: '/v1/responses',
    host: 'api.openai.com',
    piece: (delta: string) =>
      frame({ type: 'response.output_text.delta', item_id: 'm', output_index: 0, content_index: 0, delta }),
    last: frame({ type: 'response.completed', response: { id: 'r' } }),
  },
  {
    format: 'anthropic-messages',
    path: '/v1/messages',
    host: 'api.anthropic.com',
    piece: (text: string) =>
      frame({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
    last: frame({ type: 'message_stop' }),
  },
  {
    format: 'claude-web',
    path: '/api/organizations/o/chat_conversations/c/completion',
    host: 'claude.ai',
    begins:
      frame({
        type: 'message_start',
        message: {
          ...{ id: 'chatcompl_01AbCdEfGhJkLmNpQrStUvWx', type: 'message', role: 'assistant', model: '' },
          ...{ uuid: '0195a1b2-1234-7320-9abc-def012345679', content: [], stop_reason: null },
        },
      }) +
      frame({
        ...{ type: 'content_block_start', index: 0 },
        content_block: { start_timestamp: '2026-01-01T10:00:00.123456Z', type: 'text', text: '' },
      }),
    piece: (text: string) =>
      frame({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
    last:
      frame({ type: 'message_limit', message_limit: { type: 'within_limit', resetsAt: null } }) +
      frame({ type: 'message_stop' }),
  },
];
type Kind = (typeof KINDS)[number];

let stand: TestStack;
const sessions = new Map<string, ClientHttp2Session>();
before(async () => {
  stand = await startTestStack();
});
after(async () => {
  for (const session of sessions.values()) session.destroy();
  await stand.close();
});

async function sessionTo(host: string): Promise<ClientHttp2Session> {
  let session = sessions.get(host);
  if (session === undefined) {
    session = await openHttp2({ proxyPort: stand.proxy.port, ca: stand.device.root.pem, host });
    sessions.set(host, session);
  }
  return session;
}

/** The stream as a client receives it; `leaveAfter`: it leaves after this many bytes. */
async function receive({ host, path }: Kind, leaveAfter = Number.POSITIVE_INFINITY): Promise<string> {
  const stream = (await sessionTo(host)).request({
    ':path': path,
    ':method': 'POST',
    'content-type': 'application/json',
  });
  const messages = [{ role: 'user', content: 'hello there' }];
  stream.end(JSON.stringify({ model: 'm', stream: true, max_tokens: 9, messages, input: 'hello there' }));
  let got = '';
  stream.setEncoding('utf8');
  for await (const chunk of stream) {
    got += chunk;
    if (got.length >= leaveAfter) break;
  }
  return got;
}

const WORDS = 'The report for the second quarter is ready, and my team has read it: sales rose.'.split(' ');

function textOf(random: Random): string {
  let text = '';
  for (let parts = 1 + random.below(5); parts > 0; parts--) {
    for (let words = random.below(40); words > 0; words--) text += `${random.pick(WORDS)} `;
    const kind = random.below(4);
    if (kind === 0) text += `${sensitiveValue(random, random.below(VALUE_FORMS)).text} `;
    if (kind === 1) text += `${sampleOf(random.pick(SECRET_KINDS).form, (below) => random.below(below))} `;
  }
  return text;
}

/** In frames of a few characters, with unknown ones in between. */
function bodyOf(random: Random, kind: Kind, text: string): Buffer {
  let body = 'begins' in kind ? kind.begins : '';
  const longest = 1 + random.below(random.below(3) === 0 ? 200 : 12);
  for (let rest = text; rest !== ''; ) {
    const size = 1 + random.below(longest);
    body += kind.piece(rest.slice(0, size));
    rest = rest.slice(size);
    if (random.below(30) === 0) body += random.pick([': ping\n\n', frame({ type: 'odd', note: 'hi' })]);
  }
  return Buffer.from(body + kind.last);
}

function send(response: ServerResponse, body: Buffer, random: Random): void {
  const isPacked = random.below(4) === 0;
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    ...(isPacked && { 'content-encoding': 'gzip' }),
  });
  const out = isPacked ? createGzip() : response;
  if (out !== response) out.pipe(response);
  for (let at = 0; at < body.length; ) {
    const next = at + 1 + random.below(random.below(3) === 0 ? 2_000 : 300);
    out.write(body.subarray(at, next));
    at = next;
  }
  out.end();
}

test(`of ${SPLITS} streams split at random, no byte of blocked content is sent`, async (t) => {
  t.after(() => stand.configure({ policy: testPolicy() }));
  let blocked = 0;
  let early = 0;
  for (let seed = FIRST; seed < FIRST + SPLITS; seed++) {
    const random = createRandom(seed);
    const ruleset = random.pick(RULESETS);
    const streaming = random.below(4) === 0 ? 'buffered' : 'live';
    stand.configure({ policy: testPolicy({ ruleset, streaming, holdsPages: streaming === 'buffered' }) });
    stand.events.length = 0;
    const kind = random.pick(KINDS);
    const format = formatByName(kind.format);
    const body = bodyOf(random, kind, textOf(random));
    stand.testProvider.answer((response) => send(response, body, random));
    const got = await receive(kind);
    const compiled = compileRuleset(ruleset);
    const { slots } = format.readStream(body.toString());
    const findings = scan(slots, compiled, 'output', { workspace });
    const decisive = findings.filter((one) => decideFindings([one], compiled, 'output').decision === 'block');
    const left = format.readStream(got).slots;
    if (decisive.length === 0) {
      assert.deepEqual(left, slots, `seed ${seed}: another response`);
      continue;
    }
    blocked++;
    for (const finding of decisive) {
      const { path, text } = slots[finding.slot]!;
      const passed = left.find((one) => one.path === path)?.text ?? '';
      const length = text.startsWith(passed) ? passed.length : 0;
      assert.ok(
        length <= finding.start,
        `seed ${seed}: ${finding.rule} begins at ${finding.start}, ${length} sent`,
      );
      assert.ok(text.startsWith(passed) || /was blocked/.test(passed), `seed ${seed}: ${passed}`);
      if (length > 0) early++;
      if (streaming === 'buffered') assert.equal(length, 0, `seed ${seed}: buffered`);
    }
    assert.match(got, /content_blocked/, `seed ${seed}`);
    assert.deepEqual(
      stand.events.map(({ done, direction }) => [done, direction]),
      [['blocked', 'output']],
      `seed ${seed}: recorded`,
    );
  }
  assert.ok(blocked > SPLITS / 10, `${blocked} were blocked`);
  assert.ok(early > SPLITS / 30, `of ${early} words sent before the blocked passage`);
});

test('when a client leaves partway, the part that was sent is evaluated and recorded', async (t) => {
  t.after(() => stand.configure({ policy: testPolicy() }));
  const policies = [{ id: 'p', action: 'redact', threatTypes: ['pii_leak'] }] as const;
  stand.configure({
    policy: testPolicy({
      streaming: 'live',
      ruleset: { useCase: 'support_bot', strictness: 'moderate', policies },
    }),
  });
  stand.events.length = 0;
  const kind = KINDS[0]!;
  const closed = Promise.withResolvers<void>();
  stand.testProvider.answer((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.once('close', () => closed.resolve());
    for (const word of `Please write to anna.svensson@example.com about it. ${'And so on it goes. '.repeat(30)}`.split(
      /(?<= )/,
    ))
      response.write(kind.piece(word));
  });
  const got = await receive(kind, 2_000);
  await closed.promise;
  assert.match(got, /anna/);
  await until(
    async () => stand.events.length,
    (count) => count > 0,
  );
  const [event] = stand.events;
  assert.deepEqual([event?.direction, event?.done, event?.threatType], ['output', 'forwarded', 'pii_leak']);
});

test('an endless stream is sent as it arrives, and a slow client holds it up', async (t) => {
  t.after(() => stand.configure({ policy: testPolicy() }));
  stand.configure({ policy: testPolicy({ streaming: 'live' }) });
  const kind = KINDS[0]!;
  let written = 0;
  const closed = Promise.withResolvers<void>();
  stand.testProvider.answer((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.once('close', () => closed.resolve());
    const write = (): void => {
      while (!response.destroyed) {
        written += 20;
        if (!response.write(kind.piece('Words without an end. '))) break;
      }
    };
    response.on('drain', write);
    write();
  });
  const stream = (await sessionTo(kind.host)).request({
    ':path': kind.path,
    ':method': 'POST',
    'content-type': 'application/json',
  });
  stream.end('{"model":"m","stream":true,"messages":[{"role":"user","content":"hello there"}]}');
  // one byte at a time: the flow stops after it
  await new Promise((resolve) => stream.once('readable', resolve));
  for (let i = 0; i < 200; i++) {
    if (stream.read(1) === null) await new Promise((resolve) => stream.once('readable', resolve));
  }
  const before = written;
  assert.ok(before < 4_000_000, `${before} characters for 200 bytes that were read`);
  stream.close(8);
  await closed.promise;
});

test('over 32 MB the rest of a live stream passes uninspected and recorded, or is blocked when failing closed', async (t) => {
  t.after(() => stand.configure({ policy: testPolicy() }));
  const kind = KINDS[0]!;
  const text = 'Words and more of them. '.repeat(10);
  const padding = `: ${'ping '.repeat(4_000)}\n\n`;
  for (const failClosed of [false, true]) {
    stand.configure({ policy: testPolicy({ streaming: 'live', failClosed }) });
    stand.events.length = 0;
    stand.testProvider.answer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (let i = 0; i < 1_700; i++) response.write(kind.piece(text) + padding);
      response.end(kind.piece(`use ${KEY} now `) + kind.last);
    });
    const got = await receive(kind);
    const [event] = stand.events;
    assert.equal(event?.reason, 'unread');
    if (failClosed) assert.match(got.slice(-2_000), /content_blocked/);
    else assert.match(got.slice(-2_000), /\[DONE\]/);
    const words =
      formatByName(kind.format)
        .readStream(got)
        .slots.find((one) => one.text.startsWith(text))?.text ?? '';
    assert.ok(words.startsWith(text.repeat(3)));
    if (!failClosed) assert.equal(words.length, 1_700 * text.length + `use ${KEY} now `.length);
  }
});

test('one event of 10 MB among unknown events passes byte for byte, or is blocked completely', async (t) => {
  t.after(() => stand.configure({ policy: testPolicy() }));
  stand.configure({ policy: testPolicy({ streaming: 'live' }) });
  const kind = KINDS[2]!;
  const odd = `id: 7\r\nevent: odd\r\ndata: {"kind":"unknown","n":9007199254740993}\r\n\r\n`;
  for (const secret of ['', ` use ${KEY} now`]) {
    const large = kind.piece('Words and more of them. '.repeat(440_000) + secret);
    const body = `${odd}${kind.piece('Plain words first. ')}${odd}${large}${odd}${kind.last}`;
    stand.testProvider.answer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(body);
    });
    const got = await receive(kind);
    if (secret === '') assert.ok(got === body, 'another stream');
    else assert.ok(got.length < 5_000 && /was blocked/.test(got), got.slice(0, 5_000));
  }
});

test('a chat page’s stream passes immediately, unless the project holds pages until evaluated', async (t) => {
  t.after(() => stand.configure({ policy: testPolicy() }));
  const page = { ...KINDS[0]!, host: 'chatgpt.com', path: '/backend-api/conversation' };
  for (const holdsPages of [false, true]) {
    stand.configure({ policy: testPolicy({ holdsPages }) });
    stand.testProvider.answer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(page.piece('The words before it. '), () =>
        response.end(`${page.piece(`use ${KEY} now `)}data: [DONE]\n\n`),
      );
    });
    const got = await receive(page);
    assert.match(got, /was blocked/);
    assert.equal(got.includes('The words before it.'), !holdsPages);
  }
});

test('a page with readable frames gets its words, and nothing of a secret that arrives in pieces', async (t) => {
  t.after(() => stand.configure({ policy: testPolicy() }));
  const page = KINDS.find(({ format }) => format === 'claude-web')!;
  for (const holdsPages of [false, true]) {
    stand.configure({ policy: testPolicy({ holdsPages }) });
    stand.testProvider.answer(async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const piece of ['The words before it. ', 'use ', KEY.slice(0, 10), KEY.slice(10), ' now '])
        await new Promise((sent) => response.write(page.piece(piece), sent));
      response.end(page.last);
    });
    const got = await receive(page);
    assert.match(got, /was blocked/);
    assert.ok(!got.includes(KEY.slice(0, 4)), got);
    assert.equal(got.includes('The words'), !holdsPages);
  }
});

test('a waiting client gets a comment until the response is there', async () => {
  const fed: string[] = [];
  const hasWaited = Promise.withResolvers<void>();
  const delivery = createStreamDelivery(
    { compiled: compilePolicy(testPolicy()), host: 'api.openai.com', path: '/', method: 'POST' },
    {} as EvaluationTools,
    { unpack: (packing) => fed.push(`unpack ${packing}`) },
    { firstMs: 1, everyMs: 1 },
    ({ type }) => {
      if (fed.push(type) === 3) hasWaited.resolve();
    },
  );
  const headers = { 'content-encoding': 'gzip' };
  const head = { status: 200, statusMessage: 'OK', rawHeaders: [], headers };
  delivery.performers['await-stream']({ type: 'await-stream', head });
  // the timer itself keeps no process alive
  const alive = setInterval(() => {}, 1_000);
  await hasWaited.promise;
  clearInterval(alive);
  delivery.stop();
  assert.deepEqual(fed.slice(0, 3), ['unpack gzip', 'waited', 'waited']);
});
