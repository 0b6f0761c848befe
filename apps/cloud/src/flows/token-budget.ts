import { CodedError } from '@csg/shared/contract';
import { countTokens, countTokensIn, type Endpoint, formatOf, type TokenCounts } from '@csg/shared/providers';
import { atOnce, type Pace, parseStrictJson, type TextSlot } from '@csg/shared/text';
import type { Storage, TokenCounter } from '../storage/storage.ts';
import type { UpstreamResponse } from '../upstream/send.ts';
import { streamText } from '../upstream/stream-text.ts';
import type { Principal } from './authenticate-key.ts';
import type { Clock } from './clock.ts';
import type { ResponseBody } from './evaluate-response.ts';
import { namedModels } from './named-models.ts';

export interface TokenDeps {
  readonly storage: Pick<Storage, 'usage'>;
  readonly clock: Clock;
}

/** Tokens that a request is assumed to cost until its response arrives. */
export interface TokenReservation {
  /** Counts the actual cost of a response, even if the client does not receive it. `tokens`: from `readTokens`. */
  settle(response: UpstreamResponse, tokens: TokenCounts | null, pace: Pace): Promise<void>;
  /** Releases the reservation if the provider returned no response. */
  release(): Promise<void>;
}

export interface RequestToReserve {
  readonly endpoint: Endpoint;
  readonly slots: readonly TextSlot[];
  readonly body: unknown;
}

const DAY_MS = 86_400_000;
/** Typical for English; other languages have more tokens per character. */
const CHARACTERS_PER_TOKEN = 4;
/** Output tokens reserved if the request sets no limit, and at most, because larger limits are rarely used up. */
const OUTPUT_TOKENS = 1_000;
const MAX_OUTPUT_TOKENS = 4_000;
/** Endpoints that generate nothing. */
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

/** Reserves tokens before forwarding, so that concurrent requests see each other's cost. Null if there is no limit. */
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
    async settle(response, tokens, pace) {
      const cost = await costOf(request.endpoint, input, response, tokens, pace);
      await usage.adjustTokens(counter, cost - reserved);
    },
    release: () => usage.adjustTokens(counter, -reserved),
  };
}

/** Counts the tokens of a stored response: one generated in the background had no counts when it was requested. */
export async function spendTokensOfStored(
  deps: TokenDeps,
  principal: Principal,
  response: UpstreamResponse,
): Promise<void> {
  if (principal.limits.dailyTokenLimit === null || !isBackground(response)) return;
  const tokens = total(await readTokens(response));
  if (tokens > 0) await deps.storage.usage.addTokens(counterOf(principal, deps.clock.now()), tokens);
}

/** Returns the provider's count, else an estimate from the characters of request and response. */
async function costOf(
  endpoint: Endpoint,
  input: number,
  response: UpstreamResponse,
  tokens: TokenCounts | null,
  pace: Pace,
): Promise<number> {
  if (response.status < 200 || response.status > 299) return 0;
  const counted = total(tokens);
  if (counted > 0 || isBackground(response)) return counted;
  return input + (await outputTokens(endpoint, response, pace));
}

const total = (tokens: TokenCounts | null): number => (tokens === null ? 0 : tokens.input + tokens.output);

/** Returns the tokens as counted by the provider; null if it does not report them. `json`, `text`: the decoded body. */
export async function readTokens(
  response: UpstreamResponse,
  { json, text }: ResponseBody = {},
  pace = atOnce,
): Promise<TokenCounts | null> {
  const isStream = response.kind === 'event-stream';
  // A stream that cannot be decoded is rejected where it is read.
  const decoded = async () =>
    text ?? (isStream ? await streamText(response, pace).catch(() => '') : response.body.toString());
  const inBody =
    json !== undefined ? countTokensIn(json.value) : await pace(countTokens(await decoded(), isStream));
  const inHead = amazonTokens(response.headers);
  const tokens = inBody.input + inBody.output >= inHead.input + inHead.output ? inBody : inHead;
  return tokens.input + tokens.output === 0 ? null : tokens;
}

async function outputTokens(endpoint: Endpoint, response: UpstreamResponse, pace: Pace): Promise<number> {
  const format = formatOf(endpoint);
  try {
    if (response.kind === 'event-stream')
      return tokensIn((await pace(format.readStreamInSteps(await streamText(response, pace)))).slots);
    const { value, source } = parseStrictJson(response.body);
    return tokensIn(format.readResponse(value, () => source).slots);
  } catch {
    // An unreadable response is rejected, but its tokens were still generated.
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

/** Returns Amazon's counts, for models whose bodies contain none. */
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

/** Enforces a key's allowed models and its daily token limit. */
export async function requireKeyLimits(
  deps: TokenDeps,
  principal: Principal,
  model: string | null,
  body: unknown,
): Promise<void> {
  const { allowedModels } = principal.limits;
  const isAllowed = (name: string | null): boolean => name !== null && allowedModels.includes(name);
  if (allowedModels.length > 0 && ![...namedModels(model, body)].every(isAllowed)) {
    throw new CodedError('model_not_allowed', { fields: { allowed_models: allowedModels } });
  }
  await requireTokens(deps, principal);
}
