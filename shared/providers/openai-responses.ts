import type { Dialect } from './dialect.ts';
import { blockAsOpenai } from './openai-chat.ts';
import { readAnswer, readRequest } from './reading/read-body.ts';
import { readStream } from './reading/read-stream.ts';
import { requireInput, requireObject } from './reading/require-shape.ts';

/** POST /v1/responses. */
export const openaiResponses: Dialect = {
  name: 'openai-responses',
  readRequest(value, source) {
    const body = requireObject(value);
    requireInput(body);
    return readRequest(body, 'responses', source);
  },
  readAnswer: (value, source) => readAnswer(value, 'responses', source),
  readStream: (body) => readStream(body, 'responses'),
  blockAs: blockAsOpenai,
};
