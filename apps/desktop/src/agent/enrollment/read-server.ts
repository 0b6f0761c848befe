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
        `"${address}" is not encrypted, so others could read the token. Use https:// instead.`,
      );
    }
    if (isPlain) return url.href.replace(/\/$/, '');
  }
  throw new AgentError(
    `"${address}" is not the URL of a service. Enter a URL such as https://gateway.example.com.`,
  );
}
