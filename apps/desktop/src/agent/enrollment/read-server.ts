import { normalHost } from '../../inspect/match-hosts.ts';
import { isLoopback } from '../../upstream/dial.ts';
import { AgentError } from '../settings/read-settings.ts';

/**
 * Returns the address of a service without its trailing slash. Token, credential and signing key are sent over it, so
 * it must be https unless it is on this computer. Throws AgentError.
 */
export function readServer(address: string): string {
  if (/^https?:\/\//i.test(address) && URL.canParse(address)) {
    const url = new URL(address);
    const isPlain = url.username === '' && url.password === '' && url.search === '' && url.hash === '';
    if (isPlain && url.protocol === 'http:' && !isLoopback(normalHost(url.hostname))) {
      throw new AgentError(
        `"${address}" is not encrypted, so the token could be read on the way: use https:// instead.`,
      );
    }
    if (isPlain) return url.href.replace(/\/$/, '');
  }
  throw new AgentError(`"${address}" is no address of a service: write it as https://gateway.example.com.`);
}
