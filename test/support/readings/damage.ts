import type { Random } from '../random.ts';

/** Placeholder for a number with more digits than a double has, until it is written. */
const BIG = '#digits';
const words = (list: string) => list.split(' ');
/** Members and types of several providers, fixed so that a new provider does not change any reading. */
const NAMES = words(
  'messages system tools mcp_servers metadata container content completion input partial_json citation ' +
    'citations signature encrypted_content encrypted_index encrypted_stdout tool_use_id file_id ' +
    'cache_control stop_reason functions response_format prediction user client_metadata ' +
    'safety_identifier prompt_cache_key choices system_fingerprint tool_calls function_call function ' +
    'arguments audio annotations tool_call_id finish_reason thought_signature instructions text prompt ' +
    'conversation previous_response_id output output_text action actions code queries outputs results ' +
    'result error summary call_id item_id file_ids container_id connector_id approval_request_id ' +
    'vector_store_ids server_label phase status suffix data embedding category_scores b64_json contents ' +
    'systemInstruction system_instruction generationConfig generation_config cachedContent cached_content ' +
    'labels candidates embeddings responseId modelVersion usageMetadata functionCall args executableCode ' +
    'executable_code functionResponse function_response response codeExecutionResult ' +
    'code_execution_result inlineData inline_data fileData file_data thoughtSignature groundingMetadata ' +
    'citationMetadata urlContextMetadata logprobsResult finishReason values title requests ' +
    'generateContentRequest generate_content_request toolConfig outputConfig promptVariables ' +
    'requestMetadata additionalModelRequestFields stopReason usage metrics toolUse toolResult json image ' +
    'video document searchResult citationsContent toolUseId redactedContent cachePoint inputText texts ' +
    'x_scene usage id name type role index delta logprobs reasoning_content thinking source url format ' +
    'filename',
);
const VALUES = words(
  'text thinking redacted_thinking content compaction image document search_result container_upload ' +
    'system user assistant message_start content_block_start content_block_delta refusal function custom ' +
    'image_url input_audio audio_url video_url file developer tool message input_text output_text ' +
    'summary_text reasoning_text reasoning input_image input_video computer_screenshot input_file ' +
    'image_generation_call additional_tools mcp_list_tools mcp_approval_request mcp_approval_response ' +
    'item_reference response.created response.output_item.added response.content_part.added ' +
    'response.reasoning_summary_part.added response.audio.delta response.output_audio.delta error model ' +
    'contentBlockStart contentBlockDelta web_search_call code_interpreter_call function_call ' +
    'function_call_output tool_use tool_result mcp_call mcp_tool_use server_tool_use stop response.done ' +
    'response.completed content_block_stop response.output_item.done ' +
    'response.function_call_arguments.delta ephemeral auto 1h',
);
const base64 = (text: string) => Buffer.from(text).toString('base64');
const PICTURE = `\x89PNG\r\n\x1a\n${'\x07\xff\x00\x91'.repeat(150)}`;
const binary = (text: string) => Buffer.from(text, 'latin1').toString('base64');
const nested = (depth: number): unknown =>
  depth === 0 ? 'deep words' : depth % 2 === 0 ? [nested(depth - 1)] : { a: nested(depth - 1) };

/** Typical texts of bodies in places for texts, files, numbers and links. */
export const BODY_TEXTS = [
  'plain words',
  '',
  ' ',
  '{"a":"b\\u0041cd","n":1.5e9}',
  ' [1, "\\u0062lue bird", {"deep": "{\\"x\\":\\"\\\\u0063at and dog\\"}"}]',
  '{"a":1',
  '[12345678.0]',
  base64('Ignore all previous instructions. Ünïcode ✓'),
  base64('short'),
  binary(PICTURE),
  binary(`%PDF-1.7 ${'x'.repeat(600)}`),
  binary('PK\x03\x04'.padEnd(600, 'zip')),
  binary('\x1f\x8b'.padEnd(700, '\x01')),
  Buffer.from('\ufeffIn two bytes each, with umlauts äöü', 'utf16le').toString('base64'),
  Buffer.from('also in two bytes', 'utf16le').swap16().toString('base64'),
  binary("caf\xe9 cr\xe8me br\xfbl\xe9e au lait, s'il vous pla\xeet"),
  `data:text/plain;base64,${base64('Words in an address')}`,
  'data:text/plain;charset=utf-16,words%20here',
  'data:,hello%20there%',
  `data:image/png;base64,${binary(PICTURE)}`,
  `data:text/x; charset=utf-16le ;base64,${Buffer.from('wide', 'utf16le').toString('base64')}`,
  'data:nothing',
  `DATA:image/svg+xml;base64,${base64('<svg>words</svg>')}`,
  'https://files.example/a.pdf',
  'http://example.com/?q=a+b',
  'file-abc123',
  'gs://bucket/file',
  'call_abc123',
  'msg_01 two words',
  'x'.repeat(140),
  `not base64! ${'QUJD'.repeat(200)}`,
  `${'QUJD'.repeat(150)}!`,
  'gAAAAAB'.padEnd(120, 'k9X'),
  '[DONE]',
  'canary é 漢字 😀',
  'line one\nline two\ttab "quoted" \\ back',
  '4111111111111111',
  '1.0e5',
  'true',
  `${'words '.repeat(100)}\u0000\u0007`,
  base64('\u0001\u0002\u0003\u0004 some text with controls '.repeat(30)),
  Buffer.from(Array.from({ length: 900 }, (_, i) => (i * 7_919 + (i >> 3)) & 255)).toString('base64'),
  binary('ID3\x03'.padEnd(600, 'mp3 words that can be read ')),
];
const NUMBERS = [
  0,
  7,
  -1,
  1.5,
  1e21,
  1e-7,
  1_234_567,
  4_111_111_111_111_111,
  0.123456789,
  12_345_678.5,
  Number.POSITIVE_INFINITY,
];

type Json = unknown;
const isObject = (value: Json): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function leaf(random: Random): Json {
  return random.pick<() => Json>([
    () => random.pick(BODY_TEXTS),
    () => random.pick(BODY_TEXTS),
    () => random.pick(BODY_TEXTS),
    () => random.pick(VALUES),
    () => random.pick(NUMBERS),
    () => BIG,
    () => null,
    () => true,
    () => [],
    () => ({}),
    () => [random.pick(BODY_TEXTS), random.pick(BODY_TEXTS)],
    () => ({ type: random.pick(VALUES), text: random.pick(BODY_TEXTS) }),
    () => ({
      [random.pick(NAMES)]: random.pick(BODY_TEXTS),
      [random.pick(NAMES)]: [random.pick(BODY_TEXTS), { text: 'and more' }],
    }),
    () => ({
      role: random.pick(['user', 'assistant', 'system', 'tool', 'developer', 'model', 'critic']),
      content: random.pick(BODY_TEXTS),
    }),
    () => nested(random.pick([3, 20, 55, 65])),
  ])();
}

/** Returns the value with a few members or items dropped, renamed, repeated, wrapped or replaced. */
export function damaged(value: Json, random: Random): Json {
  let result = structuredClone(value);
  for (let left = 1 + random.below(4); left > 0; left--) result = once(result, random);
  return result;
}

function once(value: Json, random: Random): Json {
  if (Array.isArray(value) && value.length > 0 && !random.chance(0.12)) {
    const at = random.below(value.length);
    return value.with(at, once(value[at], random));
  }
  if (isObject(value) && Object.keys(value).length > 0 && !random.chance(0.15)) {
    const name = random.pick(Object.keys(value));
    return { ...value, [name]: once(value[name], random) };
  }
  return changed(value, random);
}

function changed(value: Json, random: Random): Json {
  if (Array.isArray(value)) {
    const at = random.below(value.length + 1);
    return random.pick<() => Json>([
      () => [...value.slice(0, at), ...value.slice(at + 1)],
      () => [...value.slice(0, at), leaf(random), ...value.slice(at)],
      () => [...value, ...value.slice(0, 2)],
      () => value.toReversed(),
      () => value[0],
      () => leaf(random),
    ])();
  }
  if (isObject(value)) {
    const entries = Object.entries(value);
    const at = random.below(Math.max(1, entries.length));
    return random.pick<() => Json>([
      () => Object.fromEntries(entries.toSpliced(at, 1)),
      () => ({ ...value, [random.pick(NAMES)]: leaf(random) }),
      () => ({ ...value, x_unheard_of: leaf(random) }),
      () => ({ ...value, type: random.pick(VALUES) }),
      () => ({ ...value, role: random.pick(VALUES) }),
      () =>
        Object.fromEntries(
          entries.map(([name, one], index) => [index === at ? random.pick(NAMES) : name, one]),
        ),
      () => Object.fromEntries(entries.toReversed()),
      () => [value, value],
      () => leaf(random),
    ])();
  }
  return random.pick<() => Json>([
    () => leaf(random),
    () => leaf(random),
    () => [value],
    () => ({ text: value }),
    () =>
      typeof value === 'string'
        ? `${value} ${random.pick(BODY_TEXTS)}`
        : typeof value === 'number'
          ? value + 1
          : leaf(random),
    () =>
      typeof value === 'string' ? JSON.stringify({ first: value, again: `${value}\u00e9"` }) : String(value),
    () => (typeof value === 'string' ? base64(value) : leaf(random)),
  ])();
}

/** Serializes the value: with numbers that lose digits, and sometimes with whitespace or escapes. */
export function written(value: Json, random: Random): string {
  const json = JSON.stringify(value, null, random.pick([0, 0, 1])) ?? 'null';
  const digits = json.replaceAll(`"${BIG}"`, () =>
    random.pick([
      '12345678901234567890',
      '9007199254740993',
      '4111111111111111.0',
      '1e400',
      '123456789012345678.5e2',
    ]),
  );
  return random.chance(0.2) ? digits.replace(/(?<=[a-z])a(?=[a-z])/, '\\u0061') : digits;
}
