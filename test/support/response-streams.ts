import { AMAZON_STREAM, formatByName } from '@csg/shared/providers';
import { amazonMessage } from './amazon-stream.ts';
import { NAMED, pick, type Random, textOf } from './response-texts.ts';

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

/** An event of Amazon's stream, before it is packed. */
const message = (type: string, payload: object) => frame({ type, ...payload });
const converse = (contentBlockIndex: number, delta: (piece: string) => object) => (piece: string) =>
  message('contentBlockDelta', {
    ...{ contentBlockIndex, delta: delta(piece) },
    p: 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'.slice(0, 62 - (piece.length % 62)),
  });

/** How providers send a text in pieces, two of them alternately. */
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
  {
    format: 'bedrock-converse',
    begins: message('messageStart', { role: 'assistant' }),
    pieces: [converse(0, (text) => ({ text }))],
  },
  {
    format: 'bedrock-converse',
    begins: message('messageStart', { role: 'assistant' }),
    pieces: [converse(0, (text) => ({ reasoningContent: { text } })), converse(1, (text) => ({ text }))],
  },
  {
    format: 'bedrock-converse',
    begins: message('contentBlockStart', {
      start: { toolUse: { toolUseId: 't', name: 'n' } },
      contentBlockIndex: 1,
    }),
    pieces: [converse(0, (text) => ({ text })), converse(1, (input) => ({ toolUse: { input } }))],
  },
  {
    format: 'bedrock-invoke',
    begins: opened(0, { type: 'text', text: '' }),
    pieces: [block(0, 'text_delta', 'text')],
  },
];

/** How blocks that clients show as one begin and end, by number. */
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
/** Tool calls between them. */
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
  'bedrock-converse': {
    format: 'bedrock-converse',
    begin: (contentBlockIndex) =>
      message('contentBlockStart', {
        ...{ contentBlockIndex, start: { toolUse: { toolUseId: 'tooluse_1', name: 'note' } } },
      }),
    piece: (place) => converse(place, (input) => ({ toolUse: { input } })),
    end: (contentBlockIndex) => message('contentBlockStop', { contentBlockIndex }),
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
  {
    format: 'bedrock-converse',
    begin: () => '',
    piece: (place) => converse(place, (text) => ({ text })),
    end: (contentBlockIndex) => message('contentBlockStop', { contentBlockIndex }),
  },
  part('output_text', 'content_index', 'output_text'),
  part('reasoning_summary_text', 'summary_index', 'summary_text'),
];

/** Events in their provider's transport format. */
function packed(format: string, events: string): Buffer {
  if (formatByName(format)!.streamType !== AMAZON_STREAM) return Buffer.from(`${events}data: [DONE]\n\n`);
  const payloads = events
    .split(/\r?\n/)
    .flatMap((line) => (line.startsWith('data: ') ? [line.slice(6)] : []));
  return Buffer.concat(
    payloads.map((payload) => {
      if (format === 'bedrock-invoke')
        return amazonMessage(
          'chunk',
          JSON.stringify({ bytes: Buffer.from(payload).toString('base64'), p: 'ab' }),
        );
      const { type, ...members } = JSON.parse(payload) as { readonly type: string };
      return amazonMessage(type, JSON.stringify(members));
    }),
  );
}

/** One text in several blocks; sometimes a provider sends one of them after the next. */
export function rowOf(random: Random): { format: string; body: Buffer; isLate: boolean } {
  const row = pick(random, ROWS);
  const { format } = row;
  const text = `${textOf(random, false)}${textOf(random, false)}`;
  const blocks: { readonly text: string; readonly kind: Row }[] = [];
  for (let at = 0; at < text.length; ) {
    const length = 1 + random.below(random.below(4) === 0 ? 12 : text.length);
    const space = random.below(2) === 0 ? text.indexOf(' ', at + length) : -1;
    const to = space === -1 ? at + length : space + 1;
    // as blocks begin: with a word, after a space or the end of a line
    const lead = random.below(3) > 0 ? '' : pick(random, [' ', '\n\n', '. ', ', ', 'So the end. ']);
    blocks.push({ text: lead + text.slice(at, to), kind: row });
    if (random.below(3) === 0)
      blocks.push({ text: JSON.stringify({ note: textOf(random, false) }), kind: CALLS[format]! });
    at = to;
  }
  // a value and its keyword, in two of them
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
  return { format, body: packed(format, body), isLate };
}

/** A response of one or two texts, split by characters into frames and by bytes into chunks. */
export function streamOf(
  random: Random,
  hasMasks: boolean,
): { format: string; body: Buffer; isLate: boolean } {
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
  return { format, body: packed(format, body), isLate: false };
}
