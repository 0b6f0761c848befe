/**
 * The three vendors' bodies as their references document them, with at least one text in every field that takes one.
 * Plain data: canary-template.ts puts a canary into each text, one at a time.
 */
import { base64, dataUrl, json, type Template } from './canary-template.ts';

const schema = {
  type: 'object',
  title: 'Place',
  description: 'A place on a map',
  properties: {
    city: {
      type: 'string',
      description: 'Its name',
      enum: ['Paris', 'Rome'],
      default: 'Paris',
      examples: ['Oslo'],
      pattern: '^[A-Z]',
      const: 'Paris',
    },
  },
  required: ['city'],
  $defs: { other: { anyOf: [{ type: 'string', format: 'city' }] } },
};

const chatRequest = {
  model: 'gpt-test',
  messages: [
    { role: 'system', name: 'boss', content: 'Be kind.' },
    { role: 'developer', content: [{ type: 'text', text: 'Be brief.' }] },
    { role: 'user', name: 'kim', content: 'Hello there' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is on these?' },
        { type: 'image_url', image_url: { url: 'https://example.com/a.png', detail: 'low' } },
        { type: 'image_url', image_url: { url: dataUrl('image/png', 'words under an image name') } },
        { type: 'image_url', alt: 'a cat', image_url: { url: dataUrl('image/svg+xml', '<svg>cat</svg>') } },
        { type: 'file', file: { filename: 'notes.txt', file_data: dataUrl('text/plain', 'some notes') } },
        { type: 'file', file: { filename: 'a.csv', file_data: dataUrl('text/csv', 'a,b', 'percent') } },
        { type: 'file', file: { filename: 'b.md', file_data: base64('# Notes of the day') } },
        { type: 'file', file: { file_id: 'file-1' } },
        { type: 'input_audio', input_audio: { data: base64('words under an audio name'), format: 'wav' } },
        { type: 'hologram', scene: { caption: 'a dragon', parts: ['wing'] } },
      ],
    },
    {
      role: 'assistant',
      content: 'An earlier answer',
      refusal: 'I would rather not',
      reasoning_content: 'Let me think',
      audio: { id: 'audio_1' },
      tool_calls: [
        {
          id: 'call_1',
          type: 'function',
          function: { name: 'lookup', arguments: json({ city: 'Paris', deep: { list: ['a street'] } }) },
        },
        { id: 'call_2', type: 'custom', custom: { name: 'query', input: 'select one' } },
      ],
    },
    {
      role: 'assistant',
      content: [{ type: 'refusal', refusal: 'No' }],
      function_call: { name: 'old', arguments: json({ a: 'b' }) },
    },
    { role: 'tool', tool_call_id: 'call_1', content: '22 degrees' },
    { role: 'tool', tool_call_id: 'call_1', content: json({ weather: { sky: 'clear' } }) },
    { role: 'tool', tool_call_id: 'call_2', content: [{ type: 'text', text: 'one row' }] },
    { role: 'function', name: 'old', content: 'an old result' },
    { role: 'narrator', content: 'Once upon a time' },
  ],
  tools: [
    {
      type: 'function',
      function: { name: 'lookup', description: 'Finds a place', strict: true, parameters: schema },
    },
    {
      type: 'custom',
      custom: {
        name: 'query',
        description: 'Asks the database',
        format: { type: 'grammar', grammar: { syntax: 'lark', definition: 'start: WORD' } },
      },
    },
  ],
  tool_choice: { type: 'function', function: { name: 'lookup' } },
  functions: [{ name: 'old', description: 'An old one', parameters: schema }],
  function_call: { name: 'old' },
  response_format: {
    type: 'json_schema',
    json_schema: { name: 'place', description: 'What comes back', schema },
  },
  prediction: { type: 'content', content: [{ type: 'text', text: 'It may well say this' }] },
  metadata: { ticket: 'A-1' },
  user: 'user-1',
  safety_identifier: 'kim',
  prompt_cache_key: 'cache-1',
  stop: ['END'],
  modalities: ['text'],
  audio: { voice: 'alloy', format: 'wav' },
  reasoning_effort: 'low',
  verbosity: 'low',
  service_tier: 'auto',
  web_search_options: {
    search_context_size: 'low',
    user_location: { type: 'approximate', approximate: { country: 'FR', city: 'Paris', timezone: 'CET' } },
  },
  temperature: 0.5,
  seed: 7,
};

const messagesRequest = {
  model: 'claude-test',
  max_tokens: 100,
  system: [{ type: 'text', text: 'Be kind.', cache_control: { type: 'ephemeral', ttl: '5m' } }],
  messages: [
    { role: 'user', content: 'Hello there' },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Let me think', signature: 'c2lnbmVk' },
        { type: 'redacted_thinking', data: 'c2VhbGVk' },
        {
          type: 'text',
          text: 'An earlier answer',
          citations: [
            {
              type: 'char_location',
              cited_text: 'The museum opens at nine.',
              document_index: 0,
              document_title: 'Notes',
              start_char_index: 0,
              end_char_index: 5,
            },
          ],
        },
        {
          type: 'tool_use',
          id: 'toolu_1',
          name: 'lookup',
          input: { city: 'Paris', deep: { list: ['a street'] } },
        },
        { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'weather' } },
        { type: 'mcp_tool_use', id: 'mcptoolu_1', name: 'find', server_name: 'files', input: { q: 'x' } },
        {
          type: 'web_search_tool_result',
          tool_use_id: 'srvtoolu_1',
          content: [
            {
              type: 'web_search_result',
              title: 'Weather',
              url: 'https://example.com/w',
              encrypted_content: 'c2VhbGVk',
              page_age: 'a day',
            },
          ],
        },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is in these?' },
        {
          type: 'image',
          source: { type: 'base64', media_type: 'image/png', data: base64('The museum opens at nine.') },
        },
        { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
        {
          type: 'document',
          title: 'Notes',
          context: 'of last week',
          source: { type: 'text', media_type: 'text/plain', data: 'some notes' },
          citations: { enabled: true },
        },
        {
          type: 'document',
          source: { type: 'base64', media_type: 'text/plain', data: base64('more notes of the week') },
        },
        { type: 'document', source: { type: 'url', url: 'https://example.com/a.pdf' } },
        { type: 'document', source: { type: 'file', file_id: 'file_1' } },
        {
          type: 'document',
          source: { type: 'content', content: [{ type: 'text', text: 'a page' }] },
        },
        { type: 'document', source: { type: 'content', content: 'The train leaves in the morning.' } },
        {
          type: 'search_result',
          source: 'https://example.com/s',
          title: 'A page',
          content: [{ type: 'text', text: 'found words' }],
        },
        { type: 'tool_result', tool_use_id: 'toolu_1', content: '22 degrees' },
        {
          type: 'tool_result',
          tool_use_id: 'toolu_1',
          is_error: false,
          content: [
            { type: 'text', text: '22 degrees' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: base64('words') } },
            {
              type: 'search_result',
              source: 's',
              title: 't',
              content: [{ type: 'text', text: 'found' }],
            },
          ],
        },
        {
          type: 'mcp_tool_result',
          tool_use_id: 'mcptoolu_1',
          content: [{ type: 'text', text: 'a file' }],
        },
        {
          type: 'code_execution_tool_result',
          tool_use_id: 'srvtoolu_2',
          content: {
            type: 'code_execution_result',
            stdout: 'printed',
            stderr: 'warned',
            return_code: 0,
            content: [{ type: 'code_execution_output', file_id: 'file_2' }],
          },
        },
        { type: 'container_upload', file_id: 'file_3' },
        { type: 'hologram', scene: { caption: 'a dragon', parts: ['wing'] } },
      ],
    },
  ],
  tools: [
    { name: 'lookup', description: 'Finds a place', input_schema: schema },
    {
      type: 'web_search_20250305',
      name: 'web_search',
      max_uses: 1,
      allowed_domains: ['example.com'],
      user_location: { type: 'approximate', city: 'Paris', region: 'IDF', country: 'FR', timezone: 'CET' },
    },
  ],
  tool_choice: { type: 'tool', name: 'lookup' },
  metadata: { user_id: 'user-1' },
  stop_sequences: ['END'],
  service_tier: 'auto',
  container: 'container_1',
  thinking: { type: 'enabled', budget_tokens: 1024 },
  mcp_servers: [
    {
      type: 'url',
      url: 'https://example.com/mcp',
      name: 'files',
      authorization_token: 'a-token',
      tool_configuration: { enabled: true, allowed_tools: ['find'] },
    },
  ],
  context_management: { edits: [{ type: 'clear_tool_uses_20250919', exclude_tools: ['lookup'] }] },
};

/** Items that a Responses request carries back and an answer brings; one of every kind. */
const outputItems = [
  {
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    status: 'completed',
    content: [
      {
        type: 'output_text',
        text: 'An answer',
        annotations: [
          {
            type: 'url_citation',
            url: 'https://example.com',
            title: 'Example',
            start_index: 0,
            end_index: 1,
          },
          { type: 'file_citation', file_id: 'file_1', filename: 'a.txt', index: 0 },
        ],
        logprobs: [
          {
            token: 'An',
            logprob: -0.1,
            bytes: [65],
            top_logprobs: [{ token: 'The', logprob: -1, bytes: [84] }],
          },
        ],
      },
      { type: 'refusal', refusal: 'I would rather not' },
    ],
  },
  {
    type: 'function_call',
    id: 'fc_1',
    call_id: 'call_1',
    name: 'lookup',
    arguments: json({ city: 'Paris' }),
  },
  {
    type: 'reasoning',
    id: 'rs_1',
    summary: [{ type: 'summary_text', text: 'It thought' }],
    content: [{ type: 'reasoning_text', text: 'in detail' }],
    encrypted_content: 'c2VhbGVk',
  },
  { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'weather' } },
  {
    type: 'file_search_call',
    id: 'fs_1',
    queries: ['notes'],
    results: [
      { file_id: 'file_1', filename: 'a.txt', text: 'found', score: 0.5, attributes: { team: 'blue' } },
    ],
  },
  {
    type: 'code_interpreter_call',
    id: 'ci_1',
    container_id: 'cntr_1',
    code: 'print(1)',
    outputs: [
      { type: 'logs', logs: 'printed' },
      { type: 'image', url: 'https://example.com/plot.png' },
    ],
  },
  {
    type: 'computer_call',
    id: 'cu_1',
    call_id: 'call_2',
    action: { type: 'type', text: 'typed' },
    pending_safety_checks: [{ id: 'sc_1', code: 'c', message: 'Careful' }],
  },
  {
    type: 'image_generation_call',
    id: 'ig_1',
    result: base64('words under an image name'),
    revised_prompt: 'a cat',
  },
  {
    type: 'local_shell_call',
    id: 'ls_1',
    call_id: 'call_3',
    action: {
      type: 'exec',
      command: ['ls', '-l'],
      env: { HOME: '/root' },
      working_directory: '/tmp',
      user: 'kim',
    },
  },
  {
    type: 'mcp_list_tools',
    id: 'mcpl_1',
    server_label: 'files',
    tools: [{ name: 'find', description: 'Finds', input_schema: schema }],
  },
  {
    type: 'mcp_call',
    id: 'mcp_1',
    server_label: 'files',
    name: 'find',
    arguments: json({ q: 'x' }),
    output: 'a file',
    error: 'none',
  },
  {
    type: 'mcp_approval_request',
    id: 'mcpr_1',
    server_label: 'files',
    name: 'find',
    arguments: json({ q: 'x' }),
  },
  { type: 'custom_tool_call', id: 'ctc_1', call_id: 'call_4', name: 'query', input: 'select one' },
  {
    type: 'apply_patch_call',
    id: 'ap_1',
    call_id: 'call_5',
    operation: { type: 'update_file', path: 'a.txt', diff: '+line' },
  },
  { type: 'compaction', id: 'cmp_1', encrypted_content: 'c2VhbGVk' },
  { type: 'teleport', scene: { caption: 'a dragon', parts: ['wing'] } },
];

const responsesRequest = {
  model: 'gpt-test',
  instructions: 'Be kind.',
  input: [
    { role: 'user', content: 'Hello there' },
    { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Be brief.' }] },
    {
      type: 'message',
      role: 'user',
      content: [
        { type: 'input_text', text: 'What is on these?' },
        { type: 'input_image', image_url: 'https://example.com/a.png', detail: 'low' },
        { type: 'input_image', image_url: dataUrl('image/png', 'words under an image name'), detail: 'low' },
        { type: 'input_image', file_id: 'file_1' },
        { type: 'input_file', filename: 'notes.txt', file_data: dataUrl('text/plain', 'some notes') },
        { type: 'input_file', filename: 'a.pdf', file_url: 'https://example.com/a.pdf' },
        { type: 'input_audio', input_audio: { data: base64('words under an audio name'), format: 'mp3' } },
      ],
    },
    ...outputItems,
    { type: 'function_call_output', call_id: 'call_1', output: '22 degrees' },
    { type: 'function_call_output', call_id: 'call_1', output: json({ weather: { sky: 'clear' } }) },
    { type: 'function_call_output', call_id: 'call_1', output: [{ type: 'input_text', text: '22 degrees' }] },
    {
      type: 'computer_call_output',
      call_id: 'call_2',
      output: { type: 'computer_screenshot', image_url: dataUrl('image/png', 'words under an image name') },
      acknowledged_safety_checks: [{ id: 'sc_1', code: 'c', message: 'Careful' }],
    },
    { type: 'local_shell_call_output', id: 'call_3', output: 'printed' },
    { type: 'custom_tool_call_output', call_id: 'call_4', output: 'one row' },
    { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: true, reason: 'looks fine' },
    { type: 'item_reference', id: 'msg_2' },
  ],
  tools: [
    { type: 'function', name: 'lookup', description: 'Finds a place', strict: true, parameters: schema },
    { type: 'file_search', vector_store_ids: ['vs_1'], filters: { type: 'eq', key: 'team', value: 'blue' } },
    { type: 'web_search', filters: { allowed_domains: ['example.com'] }, search_context_size: 'low' },
    {
      type: 'mcp',
      server_label: 'files',
      server_url: 'https://example.com/mcp',
      server_description: 'Holds files',
      headers: { 'X-Team': 'blue' },
      authorization: 'a-token',
      allowed_tools: ['find'],
      require_approval: 'never',
    },
    { type: 'code_interpreter', container: { type: 'auto', file_ids: ['file_1'] } },
    {
      type: 'custom',
      name: 'query',
      description: 'Asks',
      format: { type: 'grammar', syntax: 'regex', definition: '.*' },
    },
  ],
  tool_choice: { type: 'function', name: 'lookup' },
  prompt: {
    id: 'pmpt_1',
    version: '2',
    variables: { name: 'Kim', picture: { type: 'input_text', text: 'a cat' } },
  },
  text: {
    verbosity: 'low',
    format: { type: 'json_schema', name: 'place', description: 'What comes back', schema },
  },
  reasoning: { effort: 'low', summary: 'auto' },
  metadata: { ticket: 'A-1' },
  user: 'user-1',
  safety_identifier: 'kim',
  prompt_cache_key: 'cache-1',
  previous_response_id: 'resp_0',
  conversation: { id: 'conv_1' },
  include: ['reasoning.encrypted_content'],
  truncation: 'auto',
  service_tier: 'auto',
};

const guardRequest = {
  model: 'gpt-test',
  messages: [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'Hello there' },
    ...[...chatRequest.messages, ...messagesRequest.messages].flatMap(({ role, content }) =>
      Array.isArray(content) ? [{ role, content }] : [],
    ),
    { role: 'tool', tool_call_id: 'call_1', content: '22 degrees' },
    { role: 'narrator', name: 'kim', content: 'Once upon a time' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        {
          id: 'call_1',
          type: 'function',
          function: { name: 'lookup', arguments: json({ city: 'Paris' }) },
        },
        { type: 'tool_use', id: 'toolu_1', name: 'lookup', input: { city: 'Paris' } },
        { name: 'lookup', args: { city: 'Paris', list: ['a street'] } },
        { unknown: 'spelling' },
      ],
      function_call: { name: 'old', arguments: json({ a: 'b' }) },
    },
  ],
  context: {
    tool_calls: [
      { type: 'function', function: { name: 'lookup', arguments: json({ city: 'Paris' }) } },
      { type: 'tool_use', name: 'lookup', input: { city: 'Paris' } },
      { name: 'lookup', args: { city: 'Paris', list: ['a street'] } },
      { unknown: 'spelling' },
    ],
  },
  retrieved_context: [{ content: 'found words', source: 'wiki', metadata: { author: 'Kim' } }],
  media: [{ type: 'file', file: { filename: 'notes.txt', file_data: dataUrl('text/plain', 'some notes') } }],
};

const chatAnswer = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_760_000_000,
  model: 'gpt-test',
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: 'An answer',
        refusal: 'I would rather not',
        reasoning_content: 'Let me think',
        reasoning: 'and think',
        annotations: [
          { type: 'url_citation', url_citation: { url: 'https://example.com', title: 'Example' } },
        ],
        audio: { id: 'audio_1', data: base64('words under an audio name'), transcript: 'spoken' },
        tool_calls: [
          {
            id: 'call_1',
            type: 'function',
            function: { name: 'lookup', arguments: json({ city: 'Paris' }) },
          },
          { id: 'call_2', type: 'custom', custom: { name: 'query', input: 'select one' } },
        ],
        function_call: { name: 'old', arguments: json({ a: 'b' }) },
      },
      logprobs: {
        content: [
          {
            token: 'An',
            logprob: -0.1,
            bytes: [65],
            top_logprobs: [{ token: 'The', logprob: -1, bytes: [84] }],
          },
        ],
        refusal: null,
      },
      finish_reason: 'stop',
    },
    {
      index: 1,
      message: { role: 'assistant', content: [{ type: 'text', text: 'Another' }] },
      finish_reason: 'stop',
    },
  ],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  system_fingerprint: 'fp_1',
  service_tier: 'default',
};

const messagesAnswer = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-test',
  content: messagesRequest.messages[1]!.content,
  stop_reason: 'stop_sequence',
  stop_sequence: 'END',
  usage: { input_tokens: 1, output_tokens: 1, service_tier: 'standard' },
  container: { id: 'container_1', expires_at: '2026-01-01T00:00:00Z' },
};

const responsesAnswer = {
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  model: 'gpt-test',
  error: { code: 'server_error', message: 'Something went wrong' },
  incomplete_details: { reason: 'max_output_tokens' },
  instructions: 'Be kind.',
  output: outputItems,
  output_text: 'An answer',
  metadata: { ticket: 'A-1' },
  tools: responsesRequest.tools,
  text: responsesRequest.text,
  reasoning: responsesRequest.reasoning,
  previous_response_id: 'resp_0',
  user: 'user-1',
  usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
};

export interface Family {
  readonly route: string;
  readonly requests: readonly Template[];
  readonly answer: Template;
}

export const FAMILIES: readonly Family[] = [
  { route: '/chat/completions', requests: [chatRequest], answer: chatAnswer },
  {
    route: '/messages',
    requests: [messagesRequest, { ...messagesRequest, tools: [], messages: [], system: 'Be kind.' }],
    answer: messagesAnswer,
  },
  {
    route: '/responses',
    requests: [responsesRequest, { model: 'gpt-test', input: 'Hello there' }],
    answer: responsesAnswer,
  },
  {
    route: '/messages/count_tokens',
    requests: [messagesRequest],
    answer: { input_tokens: 12, context_management: { original_input_tokens: 12, note: 'x y' } },
  },
];

export const GUARD: Template = guardRequest;
