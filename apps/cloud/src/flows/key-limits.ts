import { CodedError } from '@csg/shared/contract';
import { countTokens } from '@csg/shared/providers';
import type { Storage, TokenCounter } from '../storage/storage.ts';
import type { UpstreamResponse } from '../upstream/send.ts';
import { streamText } from '../upstream/stream-text.ts';
import type { Principal } from './authenticate-key.ts';
import type { Clock } from './clock.ts';

interface LimitDeps {
  readonly storage: Pick<Storage, 'usage'>;
  readonly clock: Clock;
}

const DAY_MS = 86_400_000;

/** Holds a key to its models and to its tokens of today. */
export async function requireKeyLimits(
  deps: LimitDeps,
  { organizationId, keyId, limits }: Principal,
  model: string | null,
): Promise<void> {
  const { allowedModels, dailyTokenLimit } = limits;
  if (allowedModels.length > 0 && (model === null || !allowedModels.includes(model))) {
    throw new CodedError('model_not_allowed', { fields: { allowed_models: allowedModels } });
  }
  if (dailyTokenLimit === null) return;
  const nowMs = deps.clock.now();
  const used = await deps.storage.usage.tokensOf(counterOf(organizationId, keyId, nowMs));
  if (used < dailyTokenLimit) return;
  const retryAfter = Math.max(1, Math.ceil((DAY_MS - (nowMs % DAY_MS)) / 1000));
  throw new CodedError('token_budget_exceeded', {
    fields: { tokens_used: used, daily_token_limit: dailyTokenLimit, retry_after: retryAfter },
    headers: { 'Retry-After': String(retryAfter) },
  });
}

/** Counts what the provider says that its response has cost, also where the client does not get that response. */
export async function spendTokens(
  deps: LimitDeps,
  { organizationId, keyId, limits }: Principal,
  response: UpstreamResponse,
): Promise<void> {
  if (limits.dailyTokenLimit === null) return;
  const isStream = response.kind === 'event-stream';
  const tokens = Math.max(
    countTokens(isStream ? await streamText(response) : response.body.toString(), isStream),
    amazonTokens(response.headers),
  );
  if (tokens === 0) return;
  await deps.storage.usage.addTokens(counterOf(organizationId, keyId, deps.clock.now()), tokens);
}

/** The same for a stored response: one that was made in the background brought no counts when it was requested. */
export async function spendTokensOfStored(
  deps: LimitDeps,
  principal: Principal,
  response: UpstreamResponse,
): Promise<void> {
  if (principal.limits.dailyTokenLimit === null) return;
  if (/"background"\s*:\s*true/.test(response.body.toString())) await spendTokens(deps, principal, response);
}

/** Amazon's counts for models whose bodies have none. */
function amazonTokens(headers: UpstreamResponse['headers']): number {
  return ['input', 'output'].reduce((sum, kind) => {
    const count = Number(headers[`x-amzn-bedrock-${kind}-token-count`]);
    return Number.isSafeInteger(count) && count > 0 ? sum + count : sum;
  }, 0);
}

function counterOf(organizationId: string, keyId: string, nowMs: number): TokenCounter {
  return { organizationId, keyId, day: new Date(nowMs).toISOString().slice(0, 10) };
}
