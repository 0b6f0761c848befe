import assert from 'node:assert/strict';
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
import { createRandom } from '../../scripts/detector/random.ts';
import { LiveBytes } from '../../shared/release/live-bytes.ts';
import { LiveRelease } from '../../shared/release/live-release.ts';
import { createRestore } from '../../shared/release/restore-response.ts';
import { NAMED, pick, type Random, textOf, VALUES } from './response-texts.ts';

export const workspace = new Workspace();
const frame = (value: object, event = ''): string =>
  `${event === '' ? '' : `event: ${event}\n`}data: ${JSON.stringify(value)}\n\n`;
export const chat =
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

const restore = createRestore({ values: VALUES, secretTools: {} }, []);
const blocksAll: Ruleset = compileRuleset({
  useCase: 'support_bot',
  strictness: 'strict',
  policies: [{ id: 'p', action: 'block', threatTypes: ['pii_leak', 'secret_leak', 'hidden_content'] }],
});
export const RULESETS = [
  compileRuleset({ useCase: 'default', strictness: 'moderate', policies: [] }),
  compileRuleset({ useCase: 'code_assistant', strictness: 'strict', policies: [] }),
  blocksAll,
];

/** Blocks that clients show as one, each begun and ended: how they come with their number. */
interface Row {
  readonly format: string;
  readonly begin: (place: number) => string;
  readonly piece: (place: number) => (piece: string) => string;
  readonly end: (place: number, text: string) => string;
}

const called = (place: number, args: string, status: string) => ({
  output_index: place + 1,
  item: {
    type: 'function_call',
    id: `f${place}`,
    call_id: `c${place}`,
    name: 'note',
    arguments: args,
    status,
  },
});
/** Calls between them. */
const CALLS: Readonly<Record<string, Row>> = {
  'anthropic-messages': {
    format: 'anthropic-messages',
    begin: (place) => opened(place, { type: 'tool_use', id: 'toolu_1', name: 'note', input: {} }),
    piece: (place) => block(place, 'input_json_delta', 'partial_json'),
    end: (index) => frame({ type: 'content_block_stop', index }, 'content_block_stop'),
  },
  'openai-responses': {
    format: 'openai-responses',
    begin: (place) => frame({ type: 'response.output_item.added', ...called(place, '', 'in_progress') }),
    piece: (place) => (delta) =>
      frame({ type: 'response.function_call_arguments.delta', output_index: place + 1, delta }),
    end: (place, args) => frame({ type: 'response.output_item.done', ...called(place, args, 'completed') }),
  },
};

const part = (name: string, index: string, type: string): Row => {
  const at = (place: number) => ({ item_id: 'm', output_index: 0, [index]: place, sequence_number: 9 });
  const added = `response.${name === 'output_text' ? 'content' : 'reasoning_summary'}_part.added`;
  return {
    format: 'openai-responses',
    begin: (place) => frame({ type: added, ...at(place), part: { type, text: '' } }),
    piece: (place) => (delta) => frame({ type: `response.${name}.delta`, ...at(place), delta }),
    end: (place, text) => frame({ type: `response.${name}.done`, ...at(place), text }),
  };
};

const ROWS: readonly Row[] = [
  {
    format: 'anthropic-messages',
    begin: (place) => opened(place, { type: 'text', text: '' }),
    piece: (place) => block(place, 'text_delta', 'text'),
    end: (index) => frame({ type: 'content_block_stop', index }, 'content_block_stop'),
  },
  part('output_text', 'content_index', 'output_text'),
  part('reasoning_summary_text', 'summary_index', 'summary_text'),
];

/** One text in several blocks, one after another; now and then a provider brings one of them after the next. */
function rowOf(random: Random): { format: string; body: Buffer; isLate: boolean } {
  const row = pick(random, ROWS);
  const { format } = row;
  const text = `${textOf(random, false)}${textOf(random, false)}`;
  const blocks: { readonly text: string; readonly kind: Row }[] = [];
  for (let at = 0; at < text.length; ) {
    const length = 1 + random.below(random.below(4) === 0 ? 12 : text.length);
    const space = random.below(2) === 0 ? text.indexOf(' ', at + length) : -1;
    const to = space === -1 ? at + length : space + 1;
    // as blocks begin: with a word, behind a blank or the end of a line
    const lead = random.below(3) > 0 ? '' : pick(random, [' ', '\n\n', '. ', ', ', 'So the end. ']);
    blocks.push({ text: lead + text.slice(at, to), kind: row });
    if (random.below(3) === 0)
      blocks.push({ text: JSON.stringify({ note: textOf(random, false) }), kind: CALLS[format]! });
    at = to;
  }
  // a value and the word that it is known by, in two of them
  if (random.below(3) === 0)
    for (const one of pick(random, NAMED)(random).split(/(?<=, )/)) blocks.push({ text: one, kind: row });
  const longest = 1 + random.below(random.below(3) === 0 ? 200 : 12);
  const late = random.below(4) === 0 ? random.below(blocks.length) : -1;
  const isLate = late >= 0 && blocks[late]!.kind === row;
  let body = '';
  const bring = (place: number): void => {
    const { text: whole, kind } = blocks[place]!;
    for (let from = 0; from < whole.length; ) {
      const size = 1 + random.below(longest);
      body += kind.piece(place)(whole.slice(from, from + size));
      from += size;
    }
  };
  for (const [place, { text: whole, kind }] of blocks.entries()) {
    const comesLate = isLate && place === late;
    body += kind.begin(place);
    if (!comesLate) bring(place);
    body += kind.end(place, comesLate ? '' : whole);
    if (isLate && place === late + 1) bring(late);
  }
  return { format, body: Buffer.from(`${body}data: [DONE]\n\n`), isLate };
}

/** A response of one or two texts, cut by characters into frames and by bytes into chunks. */
function streamOf(random: Random, hasMasks: boolean): { format: string; body: Buffer; isLate: boolean } {
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
  return { format, body: Buffer.from(`${body}data: [DONE]\n\n`), isLate: false };
}

export interface Released {
  readonly bytes: number;
  readonly blocked: boolean;
  readonly restored: boolean;
}

/** One response, cut at random, as it leaves. Throws if a byte of what is blocked has left. */
export function checkRelease(seed: number): Released {
  const random = createRandom(seed);
  const ruleset = pick(random, RULESETS);
  const isRestored = random.below(3) === 0;
  const isRow = !isRestored && random.below(3) === 0;
  const { format: name, body, isLate } = isRow ? rowOf(random) : streamOf(random, isRestored);
  const format = formatByName(name);
  const restoring = isRestored
    ? { restore, gates: createTextGates(ruleset, { workspace, isAttacksOnly: true }) }
    : null;
  const source = new LiveBytes(
    new LiveRelease({
      frames: format.readFrames()!,
      gates: createTextGates(ruleset, { workspace }),
      restoring,
      mayCall: () => true,
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
    for (const { path, start } of placesOf(finding, slot)) {
      const text = left.find((one) => one.path === path || one.path === `${path}/text`)?.text ?? '';
      assert.ok(
        text.length <= start || (isLate && start === 0 && PLAIN.test(text)),
        `seed ${seed}: ${finding.rule} begins at ${start} of ${path}, and ${text.length} have left`,
      );
    }
  }
  return {
    bytes: sent.length,
    blocked: decisive.length > 0,
    restored: isRestored && sent.length !== source.left().length,
  };
}

/** Where a finding begins in each text that it takes a part of. */
function placesOf({ start, end }: Finding, { path, parts }: TextSlot): { path: string; start: number }[] {
  if (parts === undefined) return [{ path, start }];
  // Of a long text only the ends are read once more with others: what a cut through a value looks like says nothing.
  const isOfCut = parts.some(
    (part, at) => parts[at + 1]?.path === part.path && start <= part.end && end >= part.end,
  );
  if (isOfCut) return [];
  return parts
    .filter((part) => part.start < end && part.end > start)
    .map((part) => ({ path: part.path, start: part.from + Math.max(0, start - part.start) }));
}

/** A text begins with words that are of no value, whatever came before them late. */
const PLAIN = /^[^\p{L}\p{N}]{0,12}[^\s\p{N}]{2,24}(?:\s+[^\s\p{N}]{1,24}(?:\s|$)|\s*$)/u;

function blockedIn(slots: readonly TextSlot[], ruleset: Ruleset): { finding: Finding; slot: TextSlot }[] {
  return scan(slots, ruleset, 'output', { workspace })
    .filter((finding) => decide([finding], ruleset, 'output').decision === 'block')
    .map((finding) => ({ finding, slot: slots[finding.slot]! }));
}
