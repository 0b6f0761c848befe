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
import { createRandom } from '../../../../scripts/detector/random.ts';
import { ANSWER_RULES, MARKUP_RULES } from '../../../../shared/detection/rules/markup.ts';
import { sampleOf } from '../../../../shared/detection/secrets/form.ts';
import { SECRET_KINDS } from '../../../../shared/detection/secrets/kinds.ts';
import { assertLinear } from '../../../support/cpu-time.ts';
import { SEPARATORS, sensitiveValue, VALUE_FORMS } from '../../../support/sensitive-values.ts';

/** Texts of one kind cut in so many ways; `LIVE_SPLITS=200000 npm test -- <this file>` for more. */
const SPLITS = Number(process.env['LIVE_SPLITS'] ?? 5_000);
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
    format: 'gemini-generate',
    begins: '',
    pieces: [(text) => frame({ candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] } }] })],
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

type Random = ReturnType<typeof createRandom>;
const pick = <T>(random: Random, list: readonly T[]): T => list[random.below(list.length)]!;

function textOf(random: Random): string {
  let text = random.below(20) === 0 ? '{"a": "' : '';
  for (let parts = 1 + random.below(8); parts > 0; parts--) {
    const kind = random.below(10);
    if (kind < 5) for (let words = random.below(60); words > 0; words--) text += `${pick(random, WORDS)} `;
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
  const release = new LiveRelease({
    frames: format.readFrames()!,
    gates: createTextGates(ruleset, { workspace }),
  });
  for (let at = 0; at < body.length; ) {
    const next = at + 1 + random.below(400);
    const before = release.released;
    const now = release.push(body.subarray(at, next));
    assert.ok(now >= before && now <= next, `seed ${seed}`);
    at = next;
  }
  const { slots } = format.readStream(body.toString());
  const found = scan(slots, ruleset, 'output', { workspace });
  const left = format.readStream(body.subarray(0, release.released).toString()).slots;
  const lengthAt = ({ path }: TextSlot): number => left.find((slot) => slot.path === path)?.text.length ?? 0;
  for (const finding of found) {
    if (decide([finding], ruleset, 'output').decision !== 'block') continue;
    const slot = slots[finding.slot]!;
    assert.ok(
      lengthAt(slot) <= finding.start,
      `seed ${seed}: ${finding.rule} begins at ${finding.start} of ${slot.path}, and ${lengthAt(slot)} have left`,
    );
  }
  return { bytes: release.released, blocked: decide(found, ruleset, 'output').decision === 'block' };
}

describe('what leaves before the whole was evaluated', () => {
  test(`has no byte of what is blocked, however ${SPLITS} responses are cut`, () => {
    let released = 0;
    let blocked = 0;
    for (let seed = 1; seed <= SPLITS; seed++) {
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
