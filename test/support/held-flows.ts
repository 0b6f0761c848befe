import { createTraceContext, type TaintedText, traceCalls } from '../../shared/flow-control/index.ts';
import { formatByName } from '../../shared/providers/index.ts';
import { type Conversation, finish } from '../../shared/text/index.ts';

const format = formatByName('openai-chat')!;

/** Traces calls at once. */
export const trace = (input: Parameters<typeof createTraceContext>[0]) =>
  finish(traceCalls(createTraceContext(input)));

export interface Turn {
  readonly user?: string;
  readonly system?: string;
  readonly says?: string;
  /** The result of a tool. */
  readonly result?: string;
  readonly from?: string;
}

/** The kinds of the traced values, each with its argument. */
export function held(
  turns: readonly Turn[],
  name: string,
  args: object,
  more: {
    readonly tools?: readonly object[];
    readonly effectTools?: string[];
    readonly recordTools?: string[];
  } = {},
): string[] {
  return flows(turns, name, args, more).map(
    ({ kind, argument, isCarrying }) => `${argument} ${kind}${isCarrying ? ' carries' : ''}`,
  );
}

/** The flows of one call after some turns. */
export function flows(
  turns: readonly Turn[],
  name: string,
  args: object,
  more: Parameters<typeof held>[3] = {},
) {
  const messages = turns.flatMap(({ user, system, says, result, from = 'read_page' }, index): object[] => {
    if (user !== undefined) return [{ role: 'user', content: user }];
    if (system !== undefined) return [{ role: 'system', content: system }];
    if (says !== undefined) return [{ role: 'assistant', content: says }];
    const id = `call_${index}`;
    return [
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id, type: 'function', function: { name: from, arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: id, content: result },
    ];
  });
  const request = { model: 'm', messages, tools: more.tools ?? [] };
  const conversation = format.readRequest(request);
  return trace({
    tainted: taintedIn(conversation),
    calls: [{ path: '/0', name, arguments: args as Record<string, unknown> }],
    conversation,
    body: request,
    effectTools: more.effectTools ?? [],
    recordTools: more.recordTools ?? [],
  });
}

/** `⟦` and `⟧` stand around a passage that gives the model instructions. */
function taintedIn({ slots }: Conversation): readonly TaintedText[] {
  return slots.flatMap((slot) => {
    const passages = [...slot.text.matchAll(/(?<=⟦)[^⟧]+/g)].map(({ 0: text, index: start }) => ({
      ...{ start, end: start + text.length },
    }));
    return passages.length === 0 ? [] : [{ slot, passages }];
  });
}
