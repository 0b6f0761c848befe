import {
  CodedError,
  type PlaygroundCall,
  type PlaygroundCallResponse,
  type PlaygroundMessage,
} from '@csg/shared/contract';
import { API_ENDPOINTS } from '@csg/shared/providers';
import type { Caller } from '../../access/caller.ts';
import { requireRole } from '../../access/require-role.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Evaluation } from '../decision/evaluate.ts';
import { type ProjectPrincipalDeps, principalOfProject } from '../principal-of-project.ts';
import { relayCompletion } from '../relay-completion.ts';
import type { RelayReply } from '../relay-reply.ts';
import type { RelayDependencies } from '../relay-request.ts';

export interface CallModelDeps extends RelayDependencies, ProjectPrincipalDeps {
  readonly storage: RelayDependencies['storage'] & ProjectPrincipalDeps['storage'] & Pick<Storage, 'members'>;
  readonly scanner: RelayDependencies['scanner'] & ProjectPrincipalDeps['scanner'];
}

/** Bounded, but enough for an example. */
const MAX_TOKENS = 1_024;
const MAX_SHOWN = 20_000;

/** The two APIs that most models offer. */
const FORMS = {
  messages: { bodyOf: anthropicBody, textOf: anthropicText },
  'chat/completions': { bodyOf: chatBody, textOf: chatText },
} as const;

/**
 * Sends a conversation to a model as an application of the project would, with the provider credential stored there:
 * scanned, recorded and counted in both directions. Throws the error that the application would receive.
 */
export async function callModel(
  deps: CallModelDeps,
  caller: Caller & { readonly userId: string },
  call: PlaygroundCall,
  context: { readonly requestId: string; readonly ipAddress: string; readonly signal: AbortSignal },
): Promise<PlaygroundCallResponse> {
  const { project_id: projectId, provider, model, messages } = call;
  await requireRole(deps, caller, 'member', { projectId });
  const principal = await principalOfProject(deps, caller.organizationId, projectId, caller.userId);
  if (principal === null) {
    throw new CodedError('not_found', { message: 'No such project: project_id is unknown.' });
  }
  const route = provider === 'anthropic' ? 'messages' : 'chat/completions';
  const form = FORMS[route];
  const value = form.bodyOf(model, messages);
  const source = JSON.stringify(value);
  let verdict: Evaluation | undefined;
  const reply = await relayCompletion(
    deps,
    principal,
    {
      endpoint: API_ENDPOINTS.find(({ path }) => path === `/v1/${route}`)!,
      ...{ params: {}, route, query: undefined, headers: { 'x-service-provider': provider } },
      ...{ bytes: Buffer.from(source), source, value, ...context },
      onStreamFailure: (cause) => new CodedError('provider_error', { cause }),
      onStreamVerdict: () => {},
    },
    (evaluation) => {
      verdict ??= evaluation;
    },
  );
  return {
    status: reply.status,
    decision: reply.evaluation.decision,
    event_id: (verdict ?? reply.evaluation).eventId,
    response_event_id: reply.evaluation.eventId,
    text: textOf(reply, form.textOf).slice(0, MAX_SHOWN),
  };
}

/** Returns the text of the model's response; a body of another form is returned unchanged. */
function textOf({ body }: RelayReply, read: (value: never) => unknown): string {
  const whole = typeof body === 'string' || Buffer.isBuffer(body) ? String(body) : '';
  try {
    const text = read(JSON.parse(whole) as never);
    return typeof text === 'string' ? text : whole;
  } catch {
    return whole;
  }
}

/** A tool result needs a call that it belongs to: a call without arguments is added. */
function chatBody(model: string, messages: readonly PlaygroundMessage[]): object {
  return {
    model,
    max_completion_tokens: MAX_TOKENS,
    messages: messages.flatMap(({ role, content }, index): object[] => {
      if (role !== 'tool') return [{ role, content }];
      const id = `call_${index}`;
      const call = { id, type: 'function', function: { name: 'read', arguments: '{}' } };
      return [
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: id, content },
      ];
    }),
  };
}

function chatText(value: {
  readonly choices?: readonly { readonly message?: { readonly content?: unknown } }[];
}) {
  return value.choices?.[0]?.message?.content;
}

function anthropicBody(model: string, messages: readonly PlaygroundMessage[]): object {
  const system = messages.flatMap(({ role, content }) => (role === 'system' ? [content] : [])).join('\n\n');
  return {
    model,
    max_tokens: MAX_TOKENS,
    ...(system === '' ? {} : { system }),
    ...(messages.some(({ role }) => role === 'tool')
      ? { tools: [{ name: 'read', description: 'Reads.', input_schema: { type: 'object' } }] }
      : {}),
    messages: messages.flatMap(({ role, content }, index): object[] => {
      if (role === 'system') return [];
      if (role !== 'tool') return [{ role, content }];
      const id = `toolu_${index}`;
      return [
        { role: 'assistant', content: [{ type: 'tool_use', id, name: 'read', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
      ];
    }),
  };
}

function anthropicText(value: { readonly content?: readonly { readonly text?: unknown }[] }) {
  return value.content
    ?.map(({ text }) => text)
    .filter((text) => typeof text === 'string')
    .join('\n');
}
