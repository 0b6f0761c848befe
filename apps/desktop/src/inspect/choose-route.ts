import type { CompiledPolicy } from './compile-policy.ts';
import { normalHost } from './match-hosts.ts';
import { isOpaque } from './media-type.ts';

export type RouteChoice =
  | { readonly kind: 'open' }
  | { readonly kind: 'tunnel'; readonly because: 'not_ai' | 'bypassed' | 'pinned' };

/**
 * Decides what is done with a connection to `host`. `isPinned`: the app has rejected our certificate. If the policy
 * fails closed, no app avoids it by rejecting the certificate.
 */
export function chooseRoute(compiled: CompiledPolicy, host: string, isPinned: boolean): RouteChoice {
  if (compiled.isBlockedTool(host)) return { kind: 'open' };
  if (compiled.isBypassed(host)) return { kind: 'tunnel', because: 'bypassed' };
  if (!compiled.isAiHost(host)) return { kind: 'tunnel', because: 'not_ai' };
  if (isPinned && !compiled.policy.failClosed) return { kind: 'tunnel', because: 'pinned' };
  return { kind: 'open' };
}

/**
 * The treatment of a request, chosen by its head. `misdirected`: it names another host than its connection. `pass`:
 * forwarded unread. `read`: its body is gathered and evaluated. `hold`: its body is not text; it is decided before any
 * of the body comes.
 */
export type Treatment = 'misdirected' | 'pass' | 'read' | 'hold';

export interface TreatedHead {
  /** The host of the connection. */
  readonly host: string;
  /** The host that the request itself names; empty: none. */
  readonly authority: string;
  readonly version: '1.0' | '1.1' | '2.0';
  readonly contentType: string;
}

export function chooseTreatment(
  compiled: CompiledPolicy,
  { host, authority, version, contentType }: TreatedHead,
): Treatment {
  // HTTP/1.0 may omit the host.
  const isMeant = authority === '' ? version === '1.0' : normalHost(authority.replace(/:\d+$/, '')) === host;
  if (!isMeant) return 'misdirected';
  if (!compiled.isAiHost(host) && !compiled.isBlockedTool(host)) return 'pass';
  return isOpaque(contentType) ? 'hold' : 'read';
}
