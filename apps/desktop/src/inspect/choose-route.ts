import type { CompiledPolicy } from './compile-policy.ts';

export type RouteChoice =
  | { readonly kind: 'open' }
  | { readonly kind: 'tunnel'; readonly because: 'not_ai' | 'bypassed' | 'pinned' };

/**
 * What is done with a connection to `host`. `isPinned`: the app that asks has refused our certificate. Where the
 * policy fails closed nobody gets round it by refusing.
 */
export function chooseRoute(compiled: CompiledPolicy, host: string, isPinned: boolean): RouteChoice {
  if (compiled.isBlockedTool(host)) return { kind: 'open' };
  if (compiled.isBypassed(host)) return { kind: 'tunnel', because: 'bypassed' };
  if (!compiled.isAiHost(host)) return { kind: 'tunnel', because: 'not_ai' };
  if (isPinned && !compiled.policy.failClosed) return { kind: 'tunnel', because: 'pinned' };
  return { kind: 'open' };
}
