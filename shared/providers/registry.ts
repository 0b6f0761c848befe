import { anthropicMessages } from './anthropic-messages.ts';
import { anthropicCountTokens } from './count-tokens.ts';
import type { Dialect, DialectName } from './dialect.ts';
import { openaiChat } from './openai-chat.ts';
import { openaiResponses } from './openai-responses.ts';

export const DIALECTS: Readonly<Record<DialectName, Dialect>> = {
  'openai-chat': openaiChat,
  'anthropic-messages': anthropicMessages,
  'openai-responses': openaiResponses,
  'anthropic-count-tokens': anthropicCountTokens,
};

export function dialectByName(name: DialectName): Dialect {
  return DIALECTS[name];
}

export interface DialectAddress {
  readonly method: string;
  /** Without one, any known path counts: the service's own routes and vendors by configuration. */
  readonly host?: string;
  /** With or without its query. */
  readonly path: string;
}

/** A vendor's hosts (`*.` for any below) and what is spoken at which path. */
interface VendorRow {
  readonly hosts: readonly string[];
  readonly paths: readonly (readonly [path: RegExp, dialect: Dialect])[];
}

const CHAT = [/\/chat\/completions$/, openaiChat] as const;
const RESPONSES = [/\/responses$/, openaiResponses] as const;
const MESSAGES = [/\/messages$/, anthropicMessages] as const;
const COUNT_TOKENS = [/\/messages\/count_tokens$/, anthropicCountTokens] as const;

const VENDORS: readonly VendorRow[] = [
  { hosts: ['api.openai.com', '*.api.openai.com', '*.openai.azure.com'], paths: [CHAT, RESPONSES] },
  { hosts: ['api.anthropic.com'], paths: [MESSAGES, COUNT_TOKENS, CHAT] },
  { hosts: ['openrouter.ai'], paths: [CHAT, RESPONSES, MESSAGES] },
  {
    hosts: [
      'api.mistral.ai',
      'api.groq.com',
      'api.together.xyz',
      'api.fireworks.ai',
      'api.deepseek.com',
      'api.x.ai',
      'api.perplexity.ai',
      'generativelanguage.googleapis.com',
    ],
    paths: [CHAT, RESPONSES, MESSAGES],
  },
];

const PREFIX = '(?:/proxy)?(?:/api)?(?:/v1)?(?:/proxy)?';
const OWN_PATHS: readonly (readonly [path: RegExp, dialect: Dialect])[] = [
  [new RegExp(`^${PREFIX}/chat/completions$`), openaiChat],
  [new RegExp(`^${PREFIX}/messages$`), anthropicMessages],
  [new RegExp(`^${PREFIX}/responses$`), openaiResponses],
  [new RegExp(`^${PREFIX}/messages/count_tokens$`), anthropicCountTokens],
];

/** (method, host, path) -> the dialect spoken there, or nothing. */
export function findDialect(address: DialectAddress): Dialect | undefined {
  if (address.method.toUpperCase() !== 'POST') return undefined;
  const path = (address.path.split(/[?#]/, 1)[0] ?? '').replace(/\/$/, '');
  const { host } = address;
  const paths = host === undefined ? OWN_PATHS : pathsOfHost(host);
  return paths?.find(([pattern]) => pattern.test(path))?.[1];
}

function pathsOfHost(host: string): VendorRow['paths'] | undefined {
  const name = host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');
  return VENDORS.find((vendor) => vendor.hosts.some((known) => isHost(name, known)))?.paths;
}

function isHost(name: string, known: string): boolean {
  return known.startsWith('*.') ? name.endsWith(known.slice(1)) : name === known;
}
