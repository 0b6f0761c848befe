import { isIP } from 'node:net';
import type { DenyReason } from './address-denied.ts';
import { isPublicAddress } from './public-address.ts';

export interface UrlRules {
  /** Default 80, 443, 8080 and 8443. */
  readonly ports?: readonly number[] | undefined;
  /** For tests only: allows internal addresses and names, and every port. */
  readonly allowPrivate?: boolean | undefined;
}

export type CheckedUrl =
  | { readonly ok: true; readonly url: URL }
  | { readonly ok: false; readonly reason: DenyReason };

const USUAL_PORTS: readonly number[] = [80, 443, 8080, 8443];

/** Stricter than WHATWG, which accepts the name `127.0.0.1!` that a lenient resolver then treats as an address. */
const HOST_NAME = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/;

/** Internal names, or names that only a local resolver knows (RFC 6761, 6762, 8375 and common practice). */
const INNER_NAMES = [
  ...[
    'localhost',
    'localdomain',
    'local',
    'internal',
    'intranet',
    'private',
    'corp',
    'home',
    'lan',
    'home.arpa',
  ],
  ...['onion', 'test', 'invalid', 'example', 'arpa'],
];

/**
 * Checks everything that the text of a URL reveals; the name's addresses are checked on connect (guardedConnector).
 * The result is parsed as in WHATWG and fetched in that form. Rejects text that other parsers could interpret
 * differently (control characters, spaces, backslashes, `http:host`).
 */
export function checkUrl(text: string, rules: UrlRules = {}): CheckedUrl {
  if (text.length > 4_096 || /[\x00-\x20\x7f\\]/.test(text) || !URL.canParse(text)) return deny('not_a_url');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return deny('scheme');
  if (!/^https?:\/\/[^/]/i.test(text)) return deny('not_a_url');
  if (url.username !== '' || url.password !== '' || /^[^/]*\/\/[^/?#]*@/.test(text))
    return deny('credentials');
  const port = readPort(url);
  const denyReason = checkHost(url.hostname, port, rules);
  return denyReason === null ? { ok: true, url } : deny(denyReason);
}

function readPort(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
}

/** The same for a separate host and port; null if there is no objection. */
export function checkHost(hostname: string, port: number, rules: UrlRules = {}): DenyReason | null {
  const host = hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
  if (host === '') return 'not_a_url';
  if (port === 0) return 'port';
  if (rules.allowPrivate === true) return null;
  if (isIP(host) !== 0) {
    if (!isPublicAddress(host)) return 'private_address';
  } else if (!HOST_NAME.test(host)) return 'not_a_url';
  else if (isInnerName(host)) return 'private_name';
  return (rules.ports ?? USUAL_PORTS).includes(port) ? null : 'port';
}

/** The resolver looks up a name without a dot in its search list, which belongs to an internal network. */
function isInnerName(host: string): boolean {
  return !host.includes('.') || INNER_NAMES.some((name) => host === name || host.endsWith(`.${name}`));
}

function deny(reason: DenyReason): CheckedUrl {
  return { ok: false, reason };
}
