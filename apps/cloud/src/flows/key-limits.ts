import { CodedError } from '@csg/shared/contract';
import type { Principal } from './authenticate-key.ts';
import { requireTokens, type TokenDeps } from './token-budget.ts';

/** Holds a key to its models and to its tokens of today. */
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
