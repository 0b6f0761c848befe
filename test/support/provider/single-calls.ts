/** Fixed bodies of routes that tests rarely script, as in OpenAI's reference. */
const COMPLETION = {
  id: 'cmpl-standin',
  object: 'text_completion',
  created: 1_760_000_000,
  model: 'gpt-standin',
  choices: [{ text: 'Hello from the stand-in.', index: 0, logprobs: null, finish_reason: 'stop' }],
  usage: { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 },
};

const EMBEDDING = {
  object: 'list',
  model: 'gpt-standin',
  data: [{ object: 'embedding', index: 0, embedding: [0.002306425, -0.009327292, 0.25] }],
  usage: { prompt_tokens: 8, total_tokens: 8 },
};

const MODERATION = {
  id: 'modr-standin',
  model: 'gpt-standin',
  results: [{ flagged: false, categories: { hate: false }, category_scores: { hate: 0.0000188 } }],
};

const IMAGE = { created: 1_760_000_000, data: [{ url: 'https://example.com/a.png' }] };

const COMPACTED = {
  id: 'resp_standin',
  object: 'response.compaction',
  created_at: 1_760_000_000,
  output: [{ id: 'cmp_standin', type: 'compaction', encrypted_content: 'c2VhbGVk' }],
  usage: { input_tokens: 5, output_tokens: 7, total_tokens: 12 },
};

const CONTENT = {
  candidates: [
    {
      content: { role: 'model', parts: [{ text: 'Hello from the stand-in.' }] },
      finishReason: 'STOP',
      index: 0,
    },
  ],
  usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 7, totalTokenCount: 12 },
  modelVersion: 'gemini-standin',
  responseId: 'r_standin',
};
const GEMINI_MODEL = { name: 'models/gemini-standin', displayName: 'Stand-in', version: '1' };

const CONVERSE = {
  output: { message: { role: 'assistant', content: [{ text: 'This is the stand-in.' }] } },
  stopReason: 'end_turn',
  usage: { inputTokens: 5, outputTokens: 7, totalTokens: 12 },
  metrics: { latencyMs: 9 },
};
const INVOKED = {
  type: 'message',
  role: 'assistant',
  content: [{ type: 'text', text: 'This is the stand-in.' }],
  usage: { input_tokens: 5, output_tokens: 7 },
};

const ROUTES: readonly (readonly [string, RegExp, object])[] = [
  ['POST', /(?<!chat)\/completions$/, COMPLETION],
  ['POST', /\/embeddings$/, EMBEDDING],
  ['POST', /\/moderations$/, MODERATION],
  ['POST', /\/images\/generations$/, IMAGE],
  ['POST', /\/responses\/input_tokens$/, { object: 'response.input_tokens', input_tokens: 42 }],
  ['POST', /\/responses\/compact$/, COMPACTED],
  ['POST', /:generateContent$/, CONTENT],
  ['POST', /:streamGenerateContent$/, [CONTENT]],
  ['POST', /:countTokens$/, { totalTokens: 42 }],
  ['POST', /:embedContent$/, { embedding: { values: [0.002306425, -0.009327292] } }],
  ['POST', /:batchEmbedContents$/, { embeddings: [{ values: [0.002306425, -0.009327292] }] }],
  ['POST', /\/model\/[^/]+\/converse(?:-stream)?$/, CONVERSE],
  ['POST', /\/model\/[^/]+\/invoke(?:-with-response-stream)?$/, INVOKED],
  ['GET', /\/v1beta\/models$/, { models: [GEMINI_MODEL] }],
  ['GET', /\/v1beta\/models\/[^/]+$/, GEMINI_MODEL],
  ['DELETE', /\/responses\/[^/]+$/, { id: 'resp_standin', object: 'response', deleted: true }],
];

export function singleCall(method: string, path: string): object | undefined {
  return ROUTES.find(([verb, pattern]) => verb === method && pattern.test(path))?.[2];
}

/** A stored response is read and cancelled in the form of its creation. */
export function isStoredResponse(method: string, path: string): boolean {
  return method === 'GET' ? /\/responses\/[^/]+$/.test(path) : /\/responses\/[^/]+\/cancel$/.test(path);
}
