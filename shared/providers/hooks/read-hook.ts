import { type HookForm, type HookKind, type HookReply, hookFormOf } from './hook-forms.ts';

/** An event of a coding agent: a call before it is made, a prompt, or a tool's result. */
export interface Hook extends Pick<HookForm, 'agent'> {
  readonly kind: HookKind;
  /** The agent's id of a conversation; null: it sends none. */
  readonly sessionId: string | null;
  /** For calls and results. */
  readonly toolName: string;
  /** The arguments of a call, the prompt, or the result. */
  readonly content: Readonly<Record<string, unknown>>;
  readonly deny: (reason: string) => HookReply;
  readonly ask: (reason: string) => HookReply;
}

const MAX_NAME = 255;

/** Returns null for events without content to evaluate, such as the start of a session. */
export function readHook(body: Readonly<Record<string, unknown>>): Hook | null {
  const event = body['hook_event_name'];
  const form = typeof event === 'string' ? hookFormOf(event, body['turn_id'] !== undefined) : undefined;
  if (form === undefined) return null;
  const { agent, kind, deny, ask = deny } = form;
  return {
    ...{ agent, kind, deny, ask },
    sessionId: nameIn(body['session_id']) ?? nameIn(body['conversation_id']),
    toolName: form.toolName ?? nameIn(body['tool_name']) ?? 'unknown',
    content: contentOf(form, body),
  };
}

function contentOf({ member, members = [] }: HookForm, body: Hook['content']): Hook['content'] {
  if (member === null) return Object.fromEntries(members.map((name) => [name, body[name] ?? null]));
  const value = parsed(body[member]);
  return isObject(value) ? value : { [member]: value ?? null };
}

/** Parses arguments and results that are JSON in a string; a prompt stays unchanged. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string' || !value.trimStart().startsWith('{')) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function nameIn(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, MAX_NAME) : null;
}

function isObject(value: unknown): value is Hook['content'] {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
