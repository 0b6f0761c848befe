import type { SlotRole } from '../../text/index.ts';
import type { Provider, WebAppTable } from '../provider.ts';
import type { Block } from '../wire-format.ts';

/** Members in which several apps put content that is not the user's own. */
const MEMBERS: Readonly<Record<string, SlotRole>> = {
  extracted_content: 'document',
  attachments: 'document',
  files: 'document',
  file_name: 'other',
  id: 'identifier',
  message_id: 'identifier',
  conversation_id: 'identifier',
  parent_message_id: 'identifier',
  parent_message_uuid: 'identifier',
  model: 'identifier',
  timezone: 'other',
  locale: 'other',
  tools: 'tool_definition',
  custom_instructions: 'system',
  system_prompt: 'system',
};

/** A page cannot speak for its developer: its system messages are read as the user's. */
const AUTHORS: Readonly<Record<string, SlotRole>> = {
  assistant: 'assistant',
  model: 'assistant',
  bot: 'assistant',
  tool: 'tool_result',
  system: 'user',
};

/** `pattern`: the requests with prompts. Everything else on these hosts is read without a format. */
function webApp(
  name: string,
  label: string,
  hosts: readonly string[],
  pattern: RegExp,
  rejection: WebAppTable['rejection'],
  opened = hosts,
  more: Pick<WebAppTable, 'isReadByFrame'> = {},
): Provider {
  const format: WebAppTable = { name, members: MEMBERS, authors: AUTHORS, rejection, ...more };
  return {
    name,
    label,
    hosts,
    opened,
    endpoints: [{ name, method: 'POST', path: '/', pattern, format, operation: 'chat', streams: 'always' }],
  };
}

const detail = ({ message }: Block): object => ({ detail: { message, code: 'content_blocked' } });

export const webApps: readonly Provider[] = [
  webApp(
    'chatgpt-web',
    'ChatGPT',
    ['chatgpt.com', 'chat.openai.com'],
    /^\/backend-(?:api|anon)\/(?:f\/)?conversation(?:\/|$)/,
    ({ message }) => ({ detail: message }),
    // The last host receives file uploads.
    ['chatgpt.com', 'chat.openai.com', '*.chatgpt.com', '*.oaiusercontent.com'],
  ),
  webApp(
    'claude-web',
    'Claude',
    ['claude.ai'],
    /^\/api\/organizations\/[^/]+\/(?:chat_conversations\/[^/]+\/(?:retry_)?completion|convert_document)$/,
    ({ message }) => ({ type: 'error', error: { type: 'permission_error', message } }),
    undefined,
    // Its streams are those of Messages, with additional members.
    { isReadByFrame: true },
  ),
  webApp(
    'gemini-web',
    'Gemini',
    ['gemini.google.com'],
    /\/(?:StreamGenerate|batchexecute)$/,
    ({ message }) => ({ error: { code: 403, message, status: 'PERMISSION_DENIED' } }),
    ['gemini.google.com', 'notebooklm.google.com'],
  ),
  webApp(
    'copilot-web',
    'Copilot',
    ['copilot.microsoft.com', 'm365.cloud.microsoft', 'substrate.office.com'],
    /\/(?:c\/api\/|turing\/conversation\/|m365Copilot\/|sydney\/)/i,
    ({ message }) => ({ event: 'error', errorCode: 'content-blocked', error: { message }, message }),
    // The second host carries much more than this chat.
    ['copilot.microsoft.com', 'm365.cloud.microsoft'],
  ),
  webApp(
    'perplexity-web',
    'Perplexity',
    ['www.perplexity.ai', 'perplexity.ai'],
    /^\/(?:rest\/sse\/perplexity_ask|rest\/thread\/|socket\.io\/)/,
    (block) => ({ ...detail(block), message: block.message }),
  ),
  webApp('mistral-web', 'Le Chat', ['chat.mistral.ai'], /^\/api\/(?:chat|trpc\/message\.)/, (block) => ({
    ...detail(block),
    error: { message: block.message },
  })),
];
