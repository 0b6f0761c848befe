import { parseAllMembers, parseEveryMember } from '../../text/index.ts';
import { isJsonObject } from '../reading/text-collector.ts';
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
  const given = body[member];
  // A version of the agent that names it differently: everything is read that may be the content.
  if (given === undefined)
    return Object.fromEntries(Object.entries(body).filter(([name]) => !BESIDE.has(name)));
  // The agent's model reads the whole text: no member may be lost where one is repeated.
  const isJson = typeof given === 'string' && given.trimStart().startsWith('{');
  const value = isJson ? (parseAllMembers(given) ?? given) : given;
  return isJsonObject(value) ? value : { [member]: value ?? null };
}

/** Members that identify an event: agents read the last of repeated ones, as JSON.parse does. */
const ABOUT: ReadonlySet<string> = new Set([
  ...['hook_event_name', 'tool_name', 'session_id', 'conversation_id', 'turn_id'],
]);

/** Members of events beside their content; the input of a result was read when the call was made. */
const BESIDE: ReadonlySet<string> = new Set([
  ...[...ABOUT, 'tool_input', 'tool_use_id', 'cwd', 'transcript_path', 'permission_mode', 'model'],
  ...['generation_id', 'workspace_roots', 'cursor_version', 'user_email', 'timestamp'],
]);

/** Parses an agent's event from its text, with every one of repeated members. Null: it is not a JSON object. */
export function parseHookInput(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const { value, repeated } = parseEveryMember(text);
    if (!isJsonObject(value)) return null;
    if (repeated === null) return value;
    const given = new Map<string, unknown[]>();
    for (const member of repeated.all as readonly object[])
      for (const [name, one] of Object.entries(member)) given.set(name, [...(given.get(name) ?? []), one]);
    return Object.fromEntries(
      [...given].map(([name, all]) => [
        name,
        ABOUT.has(name) ? value[name] : all.length === 1 ? all[0] : all,
      ]),
    );
  } catch {
    return null;
  }
}

function nameIn(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, MAX_NAME) : null;
}
