import type { AnswerForms, ResponseContent } from '../provider/answers.ts';

/** Answers with tool calls in the forms of Google and Amazon, as `answers.ts` has those of OpenAI and Anthropic. */

type Calls = NonNullable<ResponseContent['toolCalls']>;
const callsOf = (says: ResponseContent): Calls => says.toolCalls ?? [];
const argumentsOf = (text: string): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>;
const frame = (data: object, event = ''): string =>
  `${event === '' ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;

const candidates = (parts: readonly object[]): object => ({
  candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
  modelVersion: 'gemini-standin',
  responseId: 'r_standin',
});

export const generate: AnswerForms = {
  whole: (says) =>
    candidates(
      callsOf(says).map((call, at) => ({
        functionCall: { id: `call_${at}`, name: call.name, args: argumentsOf(call.arguments) },
      })),
    ),
  /** The second call of an answer is streamed by its arguments. */
  frames: (says) =>
    callsOf(says).flatMap(({ name, arguments: text }, at) => {
      const id = `call_${at}`;
      const args = argumentsOf(text);
      if (at % 2 === 0) return [frame(candidates([{ functionCall: { id, name, args } }]))];
      const pieces = Object.entries(args).flatMap(([member, value]) => {
        const [one, two] = [String(value).slice(0, 1), String(value).slice(1)];
        const jsonPath = `$.${member}`;
        return [
          { partialArgs: [{ jsonPath, stringValue: one, willContinue: true }], willContinue: true },
          { partialArgs: [{ jsonPath, stringValue: two }], willContinue: true },
        ];
      });
      return [{ id, name, willContinue: true }, ...pieces, {}].map((functionCall) =>
        frame(candidates([{ functionCall }])),
      );
    }),
};

export const converse: AnswerForms = {
  whole: (says) => ({
    output: {
      message: {
        role: 'assistant',
        content: callsOf(says).map((call, at) => ({
          toolUse: { toolUseId: `call_${at}`, name: call.name, input: argumentsOf(call.arguments) },
        })),
      },
    },
    stopReason: 'tool_use',
    usage: { inputTokens: 5, outputTokens: 7, totalTokens: 12 },
    metrics: { latencyMs: 9 },
  }),
  frames: (says) => [
    frame({ role: 'assistant' }, 'messageStart'),
    ...callsOf(says).flatMap(({ name, arguments: text }, contentBlockIndex) => [
      frame(
        { contentBlockIndex, start: { toolUse: { toolUseId: `call_${contentBlockIndex}`, name } } },
        'contentBlockStart',
      ),
      ...[text.slice(0, 5), text.slice(5)].map((input) =>
        frame({ contentBlockIndex, delta: { toolUse: { input } } }, 'contentBlockDelta'),
      ),
      frame({ contentBlockIndex }, 'contentBlockStop'),
    ]),
    frame({ stopReason: 'tool_use' }, 'messageStop'),
    frame({ usage: { inputTokens: 5, outputTokens: 7, totalTokens: 12 }, metrics: {} }, 'metadata'),
  ],
};
