import type { AgentStatus } from '../control/control-messages.ts';

/** Says which apps a working proxy protects. Null: there is no proxy. */
export function protectionSentence({
  proxy_port: port,
  system_proxy,
}: Pick<AgentStatus, 'proxy_port' | 'system_proxy'>): string | null {
  if (port === null) return null;
  const who =
    system_proxy === 'off'
      ? 'Only programs started with "agent env" are protected (AGENT_SYSTEM_PROXY=off)'
      : 'This computer is protected';
  return `${who}: the proxy is 127.0.0.1:${port}.`;
}

const MAX_NAMED = 5;

/** A sentence for the user. `hosts` are those outside the trusted certificate; at least one. */
export function administratorSentence(hosts: readonly string[]): string {
  const named = hosts.slice(0, MAX_NAMED).join(', ');
  const more = hosts.length > MAX_NAMED ? ` and ${hosts.length - MAX_NAMED} more` : '';
  return `An administrator must run "agent ca install". Until then, ${named}${more} cannot be inspected.`;
}
