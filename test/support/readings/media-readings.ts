import {
  formatByName,
  isEventStream,
  readExactCalls,
  readToolCalls,
} from '../../../shared/providers/index.ts';
import { finish } from '../../../shared/text/index.ts';
import { createRandom, type Random } from '../random.ts';
import type { Readings } from './compare-readings.ts';
import { BODY_TEXTS } from './damage.ts';
import { digest, tried } from './digest.ts';
import { bodyReading } from './provider-bodies.ts';

const HINTS = [
  'image/png',
  'text/plain',
  'application/pdf',
  'audio/wav',
  'wav',
  'pcm16',
  'application/octet-stream',
  '',
  'a.txt',
  'a.bin',
  'report.md',
  'application/json; charset=utf-16',
  'image/svg+xml',
  'font/woff',
];
const BYTES = [
  ...BODY_TEXTS,
  `data:text/plain;charset=utf-16be;base64,${Buffer.from('\ufeffmarked', 'utf16le').toString('base64')}`,
  `data:text/plain;charset="utf-16";base64,${Buffer.from('\ufeffbig end', 'utf16le').swap16().toString('base64')}`,
  'data:text/plain;base64,_-8-_w==',
  'data:text/plain;base64,A',
  `data:application/pdf;base64,${Buffer.from(`%PDF-1.4 ${'x'.repeat(900)}`).toString('base64')}`,
  Buffer.from(`${'Words in lines, many of them. '.repeat(40)}`)
    .toString('base64')
    .replace(/(.{76})/g, '$1\r\n'),
  Buffer.from('subjects?>~ in the other alphabet '.repeat(30)).toString('base64url'),
  `${Buffer.from('lenient '.repeat(90)).toString('base64').slice(0, 700)}!!${'QUJD'.repeat(9)}==after`,
  Buffer.from('a'.repeat(70_000)).toString('base64'),
  Buffer.from(Array.from({ length: 60_000 }, (_, at) => (at * 7_919) & 255)).toString('base64'),
];

const SHAPES: readonly (readonly [string, (data: string, hint: string) => unknown])[] = [
  ['openai-chat', (url) => ({ type: 'image_url', image_url: { url } })],
  ['openai-chat', (data, format) => ({ type: 'input_audio', input_audio: { data, format } })],
  ['openai-chat', (data, filename) => ({ type: 'file', file: { file_data: data, filename } })],
  ['openai-chat', (id) => ({ type: 'file', file: { file_id: id } })],
  ['openai-responses', (data) => ({ type: 'input_image', image_url: data, detail: 'low' })],
  ['openai-responses', (data, filename) => ({ type: 'input_file', file_data: data, filename })],
  ['openai-responses', (file_url) => ({ type: 'input_file', file_url })],
  [
    'anthropic-messages',
    (data, media_type) => ({ type: 'image', source: { type: 'base64', media_type, data } }),
  ],
  [
    'anthropic-messages',
    (data, media_type) => ({
      type: 'document',
      source: { type: 'base64', media_type, data },
      title: 'words',
    }),
  ],
  ['anthropic-messages', (url) => ({ type: 'document', source: { type: 'url', url } })],
  [
    'anthropic-messages',
    (data) => ({ type: 'document', source: { type: 'text', media_type: 'text/plain', data } }),
  ],
  ['anthropic-messages', (data) => ({ type: 'redacted_thinking', data })],
  ['anthropic-messages', (signature) => ({ type: 'thinking', thinking: 'hm', signature })],
  ['bedrock-converse', (bytes, format) => ({ document: { format, name: 'words', source: { bytes } } })],
  ['bedrock-converse', (bytes) => ({ image: { format: 'png', source: { bytes } } })],
  ['bedrock-converse', (uri) => ({ video: { format: 'mp4', source: { s3Location: { uri } } } })],
  ['gemini-generate', (data, mimeType) => ({ inlineData: { mimeType, data } })],
  ['gemini-generate', (fileUri, mimeType) => ({ fileData: { mimeType, fileUri } })],
];

function bodyOf(format: string, block: unknown): Record<string, unknown> {
  if (format === 'openai-responses')
    return { model: 'm', input: [{ role: 'user', content: [block, block] }] };
  if (format === 'gemini-generate')
    return { contents: [{ role: 'user', parts: [block, { text: 'words' }] }] };
  return {
    model: 'm',
    messages: [
      { role: 'user', content: [{ text: 'words' }, block] },
      { role: 'assistant', content: [block] },
    ],
  };
}

/** Images, files and similar blocks of every kind, in the format of every provider. */
function* readMediaBlocks(): Readings {
  for (const [shape, [name, make]] of SHAPES.entries()) {
    const format = formatByName(name);
    for (const [at, bytes] of BYTES.entries()) {
      const source = JSON.stringify(bodyOf(name, make(bytes, HINTS[(at + shape) % HINTS.length]!)));
      const body = tried(() => format.readRequest(JSON.parse(source), () => source));
      yield { name: `medium ${shape}, ${at}`, text: source.slice(0, 900), ...bodyReading(source, body) };
    }
  }
}

const ARGUMENTS = [
  '{"n":12345678901234567890,"to":"anna"}',
  '{"a":1,"a":2}',
  '',
  'text',
  '[1,2]',
  '{"n":1.0}',
  '{"deep":[[{"x":1e400}]]}',
  `${'['.repeat(120)}1e999${']'.repeat(120)}`,
  '{"to":"anna"',
  '"text"',
  '{"n":1234567890123456}',
];

function call(random: Random): unknown {
  const given = random.pick<unknown>([...ARGUMENTS, { to: 'anna', n: 2 ** 60 }, { to: 'tom' }, null, ['a']]);
  const id = random.pick<unknown>(['c1', 'c2', undefined, null, 17]);
  return random.pick<() => unknown>([
    () => ({ id, type: 'function', function: { name: 'send', arguments: given } }),
    () => ({ id, type: 'custom', custom: { name: 'send', input: given } }),
    () => ({ type: 'function_call', call_id: id, name: 'send', arguments: given }),
    () => ({ type: 'tool_use', id, name: 'send', input: given }),
    () => ({ type: 'mcp_approval_request', id, name: 'send', arguments: given }),
    () => ({ type: 'web_search_call', id, action: given, status: 'done' }),
    () => ({ type: 'computer_call', id, pending: given }),
    () => ({ type: 'tool_result', name: 'send', input: given }),
    () => ({ functionCall: { name: 'send', args: given, id } }),
    () => ({ executable_code: { language: 'PYTHON', code: given, id } }),
    () => ({ toolUse: { toolUseId: id, name: 'send', input: given } }),
    () => ({ function: { name: 'send', description: 'x', parameters: given } }),
    () => ({ tools: [{ type: 'x_call', name: 'send', input: given }] }),
  ])();
}

function* readCallsAlone(): Readings {
  for (let at = 0; at < 120; at++) {
    const random = createRandom(at * 7_919 + 61);
    const body = {
      output: [call(random), { content: [call(random)] }],
      choices: [{ message: { tool_calls: [call(random)] } }],
    };
    const source = JSON.stringify(body);
    const chat = formatByName('openai-chat');
    const frames = Array.from({ length: 6 }, () => {
      const index = random.pick<unknown>([0, 0, 1, undefined, '0']);
      const piece = random.pick<unknown>([
        { to: 'anna', n: 2 ** 60 },
        '{"to":',
        '"anna"}',
        '',
        undefined,
        'x',
      ]);
      return random.pick<() => unknown>([
        () => ({
          choices: [
            {
              index,
              delta: {
                tool_calls: [
                  {
                    index,
                    id: random.pick(['c1', undefined]),
                    function: { name: random.pick(['send', undefined]), arguments: piece },
                  },
                ],
              },
            },
          ],
        }),
        () => ({
          choices: [
            {
              index,
              delta: {
                tool_calls: [17, { custom: { name: 'x', input: piece } }],
                function_call: { name: 'f', arguments: piece },
              },
            },
            17,
          ],
        }),
        () => ({ type: 'content_block_start', index, content_block: call(random) }),
        () => ({
          type: 'content_block_delta',
          index,
          delta: { type: 'input_json_delta', partial_json: piece },
        }),
        () => ({ type: 'content_block_stop', index }),
        () => ({ contentBlockIndex: index, start: { toolUse: { name: 'send', toolUseId: 'u' } } }),
        () => ({ contentBlockIndex: index, delta: { toolUse: { input: piece } } }),
        () => ({
          type: 'response.output_item.added',
          output_index: index,
          item: { type: 'function_call', name: 'send', call_id: 'c', arguments: piece },
        }),
        () => ({ type: 'response.function_call_arguments.delta', output_index: index, delta: piece }),
        () => ({
          type: 'response.function_call_arguments.done',
          output_index: index,
          arguments: random.pick(ARGUMENTS),
        }),
        () => ({ type: 'response.output_item.done', output_index: index, item: call(random) }),
        () => [{ candidates: [{ content: { parts: [call(random)] } }] }],
        () => ({ choices: [call(random)] }),
      ])();
    });
    const stream = frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join('');
    const exact = tried(() => finish(readExactCalls(body, () => source)));
    const results = [
      readToolCalls(body),
      exact,
      tried(() => chat.readStreamCalls(stream)),
      tried(() => chat.readStream(stream).slots),
    ];
    yield {
      name: `calls ${at}`,
      text: `${source}\n${stream}`,
      reading: digest(results),
      details: () => JSON.stringify(results, null, 1),
    };
  }
}

export function* readMediaAndCalls(): Readings {
  yield* readMediaBlocks();
  yield* readCallsAlone();
  const types = [
    undefined,
    null,
    '',
    'text/event-stream',
    'TEXT/event-stream; charset=utf-8',
    'application/json',
  ];
  yield {
    name: 'event streams',
    text: types.join(),
    reading: types.map((type) => Number(isEventStream(type))).join(''),
  };
}
