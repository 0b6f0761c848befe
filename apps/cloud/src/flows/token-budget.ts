import { CodedError } from '@csg/shared/contract';
import { countTokens, type Endpoint, formatOf, type TokenCounts } from '@csg/shared/providers';
import { parseStrictJson, type TextSlot } from '@csg/shared/text';
import type { Storage, TokenCounter } from '../storage/storage.ts';
import type { UpstreamResponse } from '../upstream/send.ts';
import { streamText } from '../upstream/stream-text.ts';
import type { Principal } from './authenticate-key.ts';
import type { Clock } from './clock.ts';

export interface TokenDeps {
  readonly storage: Pick<Storage, 'usage'>;
  readonly clock: Clock;
}

/** What a request is taken to cost until its response says so. */
export interface TokenReservation {
  /** Counts what the response has cost, also if the client does not get it. `tokens`: as `readTokens` found them. */
  settle(response: UpstreamResponse, tokens: TokenCounts | null): Promise<void>;
  /** The provider gave no response. */
  release(): Promise<void>;
}

export interface RequestToReserve {
  readonly endpoint: Endpoint;
  readonly slots: readonly TextSlot[];
  readonly body: unknown;
}

const DAY_MS = 86_400_000;
/** As tokens of English are counted; others have more. */
const CHARACTERS_PER_TOKEN = 4;
/** Of a response, where the request names no limit; a larger limit of the request is rarely used up. */
const OUTPUT_TOKENS = 1_000;
const MAX_OUTPUT_TOKENS = 4_000;
/** They generate nothing. */
const FREE = /tokens|moderation/i;
const OUTPUT_LIMITS = [
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'maxOutputTokens',
  'maxTokens',
];

export async function requireTokens(deps: TokenDeps, principal: Principal): Promise<void> {
  const { dailyTokenLimit: limit } = principal.limits;
  if (limit === null) return;
  const used = await deps.storage.usage.tokensOf(counterOf(principal, deps.clock.now()));
  if (used >= limit) throw budgetExceeded(deps, used, limit);
}

/** Before a request goes up: requests at one time see what the others will cost. Null: the key has no limit. */
export async function reserveTokens(
  deps: TokenDeps,
  principal: Principal,
  request: RequestToReserve,
): Promise<TokenReservation | null> {
  const { dailyTokenLimit: limit } = principal.limits;
  if (limit === null || FREE.test(request.endpoint.name)) return null;
  const { usage } = deps.storage;
  const counter = counterOf(principal, deps.clock.now());
  const input = tokensIn(request.slots);
  const reserved = input + outputLimit(request.body);
  const used = await usage.reserveTokens(counter, reserved, limit);
  if (used !== null) throw budgetExceeded(deps, used, limit);
  return {
    async settle(response, tokens) {
      const cost = await costOf(request.endpoint, input, response, tokens);
      await usage.adjustTokens(counter, cost - reserved);
    },
    release: () => usage.adjustTokens(counter, -reserved),
  };
}

/** Of a stored response: one that was made in the background brought no counts when it was requested. */
export async function spendTokensOfStored(
  deps: TokenDeps,
  principal: Principal,
  response: UpstreamResponse,
): Promise<void> {
  if (principal.limits.dailyTokenLimit === null || !isBackground(response)) return;
  const tokens = total(await readTokens(response));
  if (tokens > 0) await deps.storage.usage.addTokens(counterOf(principal, deps.clock.now()), tokens);
}

/** As the provider counts; if it does not say, an estimate by the characters of request and response. */
async function costOf(
  endpoint: Endpoint,
  input: number,
  response: UpstreamResponse,
  tokens: TokenCounts | null,
): Promise<number> {
  if (response.status < 200 || response.status > 299) return 0;
  const counted = total(tokens);
  if (counted > 0 || isBackground(response)) return counted;
  return input + (await outputTokens(endpoint, response));
}

const total = (tokens: TokenCounts | null): number => (tokens === null ? 0 : tokens.input + tokens.output);

/** As the provider counts them; null: it does not say. */
export async function readTokens(response: UpstreamResponse): Promise<TokenCounts | null> {
  const isStream = response.kind === 'event-stream';
  const inBody = countTokens(isStream ? await streamText(response) : response.body.toString(), isStream);
  const inHead = amazonTokens(response.headers);
  const tokens = inBody.input + inBody.output >= inHead.input + inHead.output ? inBody : inHead;
  return tokens.input + tokens.output === 0 ? null : tokens;
}

async function outputTokens(endpoint: Endpoint, response: UpstreamResponse): Promise<number> {
  const format = formatOf(endpoint);
  try {
    if (response.kind === 'event-stream')
      return tokensIn(format.readStream(await streamText(response)).slots);
    const { value, source } = parseStrictJson(response.body);
    return tokensIn(format.readResponse(value, () => source).slots);
  } catch {
    // What cannot be read is rejected; it was generated all the same.
    return Math.ceil(response.body.length / CHARACTERS_PER_TOKEN);
  }
}

function tokensIn(slots: readonly TextSlot[]): number {
  const characters = slots.reduce((sum, { isKey, text }) => sum + (isKey === true ? 0 : text.length), 0);
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

function outputLimit(body: unknown): number {
  const members = (body ?? {}) as Readonly<Record<string, unknown>>;
  for (const holder of [members, members['generationConfig'], members['inferenceConfig']]) {
    if (typeof holder !== 'object' || holder === null) continue;
    for (const name of OUTPUT_LIMITS) {
      const limit = (holder as Readonly<Record<string, unknown>>)[name];
      if (typeof limit === 'number' && limit > 0) return Math.min(Math.ceil(limit), MAX_OUTPUT_TOKENS);
    }
  }
  return OUTPUT_TOKENS;
}

function isBackground(response: UpstreamResponse): boolean {
  return response.kind !== 'event-stream' && /"background"\s*:\s*true/.test(response.body.toString());
}

/** Amazon's counts for models whose bodies have none. */
function amazonTokens(headers: UpstreamResponse['headers']): TokenCounts {
  const countOf = (kind: string) => {
    const count = Number(headers[`x-amzn-bedrock-${kind}-token-count`]);
    return Number.isSafeInteger(count) && count > 0 ? count : 0;
  };
  return { input: countOf('input'), output: countOf('output') };
}

function budgetExceeded({ clock }: TokenDeps, used: number, limit: number): CodedError {
  const retryAfter = Math.max(1, Math.ceil((DAY_MS - (clock.now() % DAY_MS)) / 1000));
  return new CodedError('token_budget_exceeded', {
    fields: { tokens_used: used, daily_token_limit: limit, retry_after: retryAfter },
    headers: { 'Retry-After': String(retryAfter) },
  });
}

function counterOf({ organizationId, keyId }: Principal, nowMs: number): TokenCounter {
  return { organizationId, keyId, day: new Date(nowMs).toISOString().slice(0, 10) };
}
