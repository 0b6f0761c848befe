import type { GuardRequest } from '../../../shared/contract/index.ts';
import {
  hasCalls,
  readGuardCalls,
  readGuardRequest,
  redactedContext,
  redactedMessages,
} from '../../../shared/providers/index.ts';
import { finish } from '../../../shared/text/index.ts';
import type { Random } from '../random.ts';
import { digest, tried } from './digest.ts';

export function readGuard(random: Random, at: number) {
  const call = () =>
    random.pick<unknown>([
      {
        id: 'c',
        type: 'function',
        function: { name: 'send', arguments: '{"to":"anna","n":12345678901234567890}' },
      },
      { type: 'tool_use', id: 'u', name: 'send', input: { to: 'anna', deep: [{ a: 'b' }] } },
      { name: 'send', args: { to: 'anna' } },
      { name: 'send', arguments: 'text' },
      { name: 'send' },
      { function: 'send' },
      { function: { arguments: '{}' } },
      { x_unheard_of: 'words', id: 'call_1' },
      { functionCall: { name: 'send', args: {} } },
    ]);
  const content = () =>
    random.pick<unknown>([
      'words',
      '',
      [
        { type: 'text', text: 'one' },
        { type: 'text', text: 'two' },
      ],
      [{ type: 'tool_result', content: [{ type: 'text', text: 'result' }] }, 'bare'],
      { text: 'alone' },
      [{ type: 'image_url', image_url: { url: 'https://x.example/a' } }],
      null,
      17,
      [{ type: 'document', source: { type: 'text', data: 'doc' }, title: 't' }],
      [{ functionResponse: { name: 'x', response: { first: 'y' } } }],
    ]);
  const message = () => ({
    role: random.pick(['user', 'assistant', 'system', 'tool', 'developer', 'model', 'x']),
    content: content(),
    ...(random.chance(0.3) && { tool_calls: [call(), call()] }),
    ...(random.chance(0.2) && { type: random.pick(['tool_definition', 'message', 'function_call_output']) }),
    ...(random.chance(0.2) && {
      name: 'anna',
      function_call: random.pick<unknown>([{ name: 'f', arguments: '{}' }, 'x']),
    }),
  });
  const request = {
    direction: random.pick(['input', 'output']),
    messages: Array.from({ length: random.below(4) }, message),
    ...(random.chance(0.4) && { context: random.chance(0.8) ? { tool_calls: [call(), call()] } : {} }),
    ...(random.chance(0.4) && {
      retrieved_context: [
        { content: 'passage', source: 'wiki' },
        { content: 'two', metadata: { page: 4_711_471, title: 'words' } },
      ],
    }),
    ...(random.chance(0.3) && {
      media: [
        { type: 'text', text: 'medium' },
        { type: 'image', data: Buffer.from('words in a picture').toString('base64') },
      ],
    }),
  } as unknown as GuardRequest;
  const read = tried(() => readGuardRequest(request, () => JSON.stringify(request)));
  const masks =
    typeof read === 'string'
      ? new Map()
      : new Map(
          read.slots.map((_, index) => [index, index % 2 === 0 ? [{ start: 0, end: 2, text: '[M]' }] : []]),
        );
  const slots = typeof read === 'string' ? [] : read.slots;
  const results = [
    read,
    finish(readGuardCalls(request)),
    request.messages.map(hasCalls),
    tried(() => finish(redactedMessages(request, slots, masks))),
    request.retrieved_context && finish(redactedContext(request.retrieved_context, slots, masks)),
  ];
  return {
    name: `guard ${at}`,
    text: JSON.stringify(request),
    reading: `${slots.length} ${digest(results)}`,
    details: () => JSON.stringify(results, null, 1),
  };
}
