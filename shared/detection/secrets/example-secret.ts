import type { Span } from '../../text/index.ts';
import { PLACEHOLDER } from './assigned-secret.ts';

/** How much of the text around a secret is examined. */
const REACH = 80;

/** Default passwords of images and tutorials, used only for one's own systems. */
const COMMON_PASSWORD =
  /^(?:guest|root|admin|postgres|mysql|mongo|redis|rabbitmq|minio(?:admin)?|tiger|test(?:ing)?\d{0,4}|user|pass(?:word|wd)?\d{0,4}|secret\d{0,4}|letmein|hunter2|foo|bar|baz|abc\d{1,4}|12345\d{0,5})$/i;
/** Parts of passwords in tests and tutorials. */
const EXAMPLE_PASSWORD = /test|pass|secret|demo|admin|qwert|letmein|welcome|changeme|123|abc|foo|bar\d/i;
/** The local computer, a private or documentation host, or a service of the same compose file. */
const OWN_HOST =
  /^@(?:localhost|127\.\d|0\.0\.0\.0|\[::1\]|10\.\d|192\.168\.\d|172\.(?:1[6-9]|2\d|3[01])\.|host\.docker\.internal|(?:[\w-]+\.)*example(?:\.(?:com|org|net|edu))?(?![\w.-])|[\w-]+\.(?:local|test|invalid)(?![\w.-])|[a-z][\w-]{0,30}(?=[:/?"'`\s]|$))/i;
/** The same as a URL, possibly after options. */
const OWN_URL =
  /^[^\n]{0,60}?(?:https?:\/\/|\s["']?)(?:localhost|127\.\d|0\.0\.0\.0|\[::1\]|10\.\d|192\.168\.\d)/i;
/** Key of the storage emulator, from its documentation. */
const EMULATOR_KEY = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuF';
/** Nonce of a handshake (RFC 6455), which is not secret. */
const NONCE_NAME = /sec-websocket-(?:key|accept)["'`]?\s{0,3}[:=,]?\s{0,3}["'`]?$/i;
/** The minimum body length of a real PEM key: the shortest has some 60 characters. */
const MIN_KEY_BODY = 60;
const ELLIPSIS = /\.\.\.|…|\*\*\*|<[^<>]{1,60}>|\$\{|\{\{|xxxx/i;

/**
 * True for a secret without use: a test key, a placeholder, a password for a local system, a key from documentation.
 * Code is full of them, and developers need them unchanged.
 */
export function isExampleSecret(
  text: string,
  { start, end, rule }: Span & { readonly rule: string },
): boolean {
  const value = text.slice(start, end);
  if (rule === 'secret.url-password') {
    return COMMON_PASSWORD.test(value) || OWN_HOST.test(text.slice(end, end + REACH));
  }
  if (rule === 'secret.command-password')
    return COMMON_PASSWORD.test(value) || OWN_URL.test(text.slice(end, end + REACH));
  if (rule === 'secret.password' && EXAMPLE_PASSWORD.test(value)) return true;
  if (rule === 'secret.private-key') return !isWholeKey(value);
  if (text.startsWith('...', end) || text.startsWith('…', end)) return true;
  if (rule.endsWith('-test') || value.includes(EMULATOR_KEY)) return true;
  return PLACEHOLDER.test(value) || NONCE_NAME.test(text.slice(Math.max(0, start - REACH), start));
}

/** True for a whole PEM key, not only its first and last line around an omission. */
function isWholeKey(pem: string): boolean {
  const body = pem.replace(/-----[A-Z ]+-----/g, '');
  if (ELLIPSIS.test(body)) return false;
  return body.replace(/[^A-Za-z0-9+/=]/g, '').length >= MIN_KEY_BODY;
}
