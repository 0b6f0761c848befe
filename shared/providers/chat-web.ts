import type { SlotRole } from '../text/index.ts';
import type { Block, BlockReply, BodyReading, Dialect } from './dialect.ts';
import { step } from './reading/path.ts';
import { refuseOverflow } from './reading/read-body.ts';
import { readStream } from './reading/read-stream.ts';
import { isMembers, type Members, Reading, readLeaves, type Source } from './reading/reading.ts';
import type { DialectAddress } from './registry.ts';

export const WEB_DIALECT_NAMES = [
  'chatgpt-web',
  'claude-web',
  'gemini-web',
  'copilot-web',
  'perplexity-web',
  'mistral-web',
] as const;
export type WebDialectName = (typeof WEB_DIALECT_NAMES)[number];

/** A dialect whose name is of no further use: a vendor's API or the web app of a chat. */
export type BodyDialect = Omit<Dialect, 'name'> & { readonly name: string };

/**
 * Web apps have no contract, and change theirs by the week. So no shape is required: a member's name says what its
 * texts are, and what is under no known name is read as a person's own words.
 */
interface WebApp {
  readonly name: WebDialectName;
  readonly hosts: readonly string[];
  /** Where prompts go. Everything else on these hosts is read without a dialect. */
  readonly paths: RegExp;
  /** The refusal as the page shows it; the pages look at different members. */
  readonly refusal: (block: Block) => unknown;
}

const detail = ({ message }: Block): unknown => ({ detail: { message, code: 'content_blocked' } });

const APPS: readonly WebApp[] = [
  {
    name: 'chatgpt-web',
    hosts: ['chatgpt.com', 'chat.openai.com'],
    paths: /^\/backend-(?:api|anon)\/(?:f\/)?conversation(?:\/|$)/,
    refusal: ({ message }) => ({ detail: message }),
  },
  {
    name: 'claude-web',
    hosts: ['claude.ai'],
    paths:
      /^\/api\/organizations\/[^/]+\/(?:chat_conversations\/[^/]+\/(?:retry_)?completion|convert_document)$/,
    refusal: ({ message }) => ({ type: 'error', error: { type: 'permission_error', message } }),
  },
  {
    name: 'gemini-web',
    hosts: ['gemini.google.com'],
    paths: /\/(?:StreamGenerate|batchexecute)$/,
    refusal: ({ message }) => ({ error: { code: 403, message, status: 'PERMISSION_DENIED' } }),
  },
  {
    name: 'copilot-web',
    hosts: ['copilot.microsoft.com', 'm365.cloud.microsoft', 'substrate.office.com'],
    paths: /\/(?:c\/api\/|turing\/conversation\/|m365Copilot\/|sydney\/)/i,
    refusal: ({ message }) => ({ event: 'error', errorCode: 'content-blocked', error: { message }, message }),
  },
  {
    name: 'perplexity-web',
    hosts: ['www.perplexity.ai', 'perplexity.ai'],
    paths: /^\/(?:rest\/sse\/perplexity_ask|rest\/thread\/|socket\.io\/)/,
    refusal: (block) => ({ ...(detail(block) as object), message: block.message }),
  },
  {
    name: 'mistral-web',
    hosts: ['chat.mistral.ai'],
    paths: /^\/api\/(?:chat|trpc\/message\.)/,
    refusal: (block) => ({ ...(detail(block) as object), error: { message: block.message } }),
  },
];

/** Members by which several apps mark what is not a person's own. */
const ROLE_OF_MEMBER: ReadonlyMap<string, SlotRole> = new Map<string, SlotRole>([
  ['extracted_content', 'document'],
  ['attachments', 'document'],
  ['files', 'document'],
  ['file_name', 'other'],
  ['id', 'identifier'],
  ['message_id', 'identifier'],
  ['conversation_id', 'identifier'],
  ['parent_message_id', 'identifier'],
  ['parent_message_uuid', 'identifier'],
  ['model', 'identifier'],
  ['timezone', 'other'],
  ['locale', 'other'],
  ['tools', 'tool_definition'],
  ['custom_instructions', 'system'],
  ['system_prompt', 'system'],
]);

const ROLE_OF_AUTHOR: ReadonlyMap<string, SlotRole> = new Map<string, SlotRole>([
  ['assistant', 'assistant'],
  ['model', 'assistant'],
  ['bot', 'assistant'],
  ['tool', 'tool_result'],
  ['system', 'user'],
]);

const MAX_DEPTH = 100;

function readWeb(reading: Reading, value: unknown, path: string, role: SlotRole, depth: number): void {
  if (depth > MAX_DEPTH || !isMembers(value)) {
    if (Array.isArray(value) && depth <= MAX_DEPTH) {
      for (const [i, item] of value.entries()) readWeb(reading, item, `${path}/${i}`, role, depth + 1);
    } else readLeaves(reading, value, path, role);
    return;
  }
  const own = authorOf(value) ?? role;
  for (const name in value) {
    const inner = step(path, name);
    const as = ROLE_OF_MEMBER.get(name) ?? own;
    // Names of members are the app's, but where one is as long as a sentence nobody knows whose it is.
    if (name.length > 32) reading.name(inner, 'other', name);
    readWeb(reading, value[name], inner, as, depth + 1);
  }
}

/** `{role}` or `{author: {role}}`. A page cannot speak for its developer: what it calls system is read as typed. */
function authorOf(message: Members): SlotRole | undefined {
  const author = message['author'];
  const role = isMembers(author) ? author['role'] : message['role'];
  return typeof role === 'string' ? ROLE_OF_AUTHOR.get(role) : undefined;
}

function webReading(value: unknown, role: SlotRole, source: Source = () => ''): BodyReading {
  const reading = new Reading();
  reading.from(source);
  readWeb(reading, value, '', role, 0);
  refuseOverflow(reading);
  const model = isMembers(value) ? value['model'] : undefined;
  return {
    slots: reading.slots,
    unscanned: reading.unscanned,
    files: reading.files,
    model: typeof model === 'string' ? model : null,
    stream: true,
  };
}

function webDialect({ name, refusal }: WebApp): BodyDialect {
  return {
    name,
    readRequest: (value, source) => webReading(value, 'user', source),
    readAnswer: (value, source) => webReading(value, 'assistant', source),
    readStream,
    blockAs: (block): BlockReply => ({
      status: 403,
      contentType: 'application/json',
      body: JSON.stringify(refusal(block)),
    }),
  };
}

const WEB_DIALECTS = APPS.map((app) => ({ app, dialect: webDialect(app) }));

/** The web app that a request belongs to, or nothing. */
export function findWebDialect({ method, host, path }: DialectAddress): BodyDialect | undefined {
  if (host === undefined || method.toUpperCase() === 'GET') return undefined;
  const name = host.toLowerCase();
  const bare = path.split(/[?#]/, 1)[0] ?? '';
  return WEB_DIALECTS.find(({ app }) => app.hosts.includes(name) && app.paths.test(bare))?.dialect;
}
