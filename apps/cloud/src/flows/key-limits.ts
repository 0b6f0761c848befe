import { CodedError } from '@csg/shared/contract';
import type { Principal } from './authenticate-key.ts';
import { requireTokens, type TokenDeps } from './token-budget.ts';

/** Enforces a key's allowed models and its daily token limit. */
export async function requireKeyLimits(
  deps: TokenDeps,
  principal: Principal,
  model: string | null,
): Promise<void> {
  const { allowedModels } = principal.limits;
  if (allowedModels.length > 0 && (model === null || !allowedModels.includes(model))) {
    throw new CodedError('model_not_allowed', { fields: { allowed_models: allowedModels } });
  }
  await requireTokens(deps, principal);
}
