import { nameWords, type Steps } from '@csg/shared/text';

/** A host that a value names, in the spelling that URL parsers give it: `0x7f.1` is `127.0.0.1`. */
export interface NamedHost {
  readonly host: string;
  /** True if the spelling may be a number, a version or a folder as well: `127.1`, `2024/report.pdf`. */
  readonly isVague: boolean;
}

/** Schemes whose hosts the URL standard parses, with any number of slashes of either kind. */
const SPECIAL = /^(?:https?|wss?|ftp):/i;
const SCHEME =
  /(?<![a-z0-9+.-])(?:(?:https?|wss?|ftp):|[a-z][a-z0-9+.-]{1,20}:(?=[/\\]{2}))|(?:^|(?<=[=(@]))[/\\]{2}(?=[^/\\])/i;
/** Its host is another computer in Windows paths only, and there it has no scheme. */
const FILE = /^file:/i;
/** What Windows takes off such a path: the mark of a long one, and the port behind its host. */
const LONG_PATH = /^[?.]\\unc\\/i;
const SHARE_PORT = /@(?:ssl|\d{1,5})(?:@\d{1,5})?$/i;
const BETWEEN_WORDS = /[\s"'`<>]+|\]\(|[,;|](?=[a-z][a-z0-9+.-]{1,20}:)/gi;
const BETWEEN_HOSTS = /[\s,;|]+/g;
/** URL parsers drop these wherever they stand. */
const DROPPED = /[\t\n\r]/g;

/** The last word of the name of an argument for an address. */
const HOST_NAMES = new Set(
  `host hosts hostname hostnames hostaddr url urls uri uris href link links endpoint endpoints addr address addresses ip
  ips ipv4 ipv6 server servers domain domains origin webhook callback proxy site website upstream`.split(
    /\s+/,
  ),
);
/** The last word of the name of an argument for a file or a version. */
const OTHER_NAMES = new Set(
  `path paths file files filename filenames filepath dir directory folder folders cwd workdir workspace glob pattern
  attachment attachments document documents version versions package packages release`.split(/\s+/),
);
/** Programs that connect to the hosts in their arguments. */
const CONNECTING = new Set(
  `curl wget http https xh nc ncat netcat telnet ssh scp sftp ftp tftp rsync ping ping6 traceroute tracepath mtr nmap
  socat aria2c lynx w3m iwr irm invoke-webrequest invoke-restmethod test-netconnection grpcurl
  websocat wscat redis-cli mysql psql mongo mongosh ab wrk openssl`.split(/\s+/),
);
const BETWEEN_SETTINGS = /[;&,?]/g;
const BETWEEN_COMMANDS = /[\n;|&()`]/g;
const SPACE = /\s+/g;
/** What may stand before a program in its command, with options of its own. */
const WRAPPER =
  /^(?:sudo|doas|time|timeout|env|nohup|nice|setsid|exec|command|eval|watch|xargs|(?:ba|da|k|z)?sh|cmd|pwsh|powershell|if|while|until|then|do|else|!|\{|\w+=.*)$/i;
const MAX_WRAPPED = 12;
/** Connecting to address 0 connects to this computer. */
const ANY_OWN = /^0(?:\/|:\d{3,5}(?:\/|$))/;
/** A file that a shell opens as a connection. */
const SOCKET_FILE = /\/dev\/(?:tcp|udp)\/([^/\s]{1,255})/g;

type Each = (named: NamedHost) => void;

/** Calls `each` with the hosts of a value of the argument `name`: of URLs, bare addresses, settings and commands. */
export function* readHosts(value: string, name: string, each: Each): Steps<void> {
  const word = nameWords(name).at(-1) ?? '';
  for (const part of partsOf(value, BETWEEN_WORDS)) {
    yield* hostsOfWord(part, each);
    yield;
  }
  const whole = value.trim();
  if (SCHEME.test(whole.slice(0, 24))) yield* hostsOfWord(whole.replace(DROPPED, ''), each);
  else if (!OTHER_NAMES.has(word)) yield* bareHosts(whole, HOST_NAMES.has(word), each);
  yield* hostsOfCommands(value, each);
}

/** Yields the parts of a text one by one, as `split` does at once. `between` is global. */
function* partsOf(text: string, between: RegExp): Generator<string> {
  let start = 0;
  for (const { 0: separator, index } of text.matchAll(between)) {
    yield text.slice(start, index);
    start = index + separator.length;
  }
  yield text.slice(start);
}

/** Reads the host of the URL in a word, or of a setting (`host=127.0.0.1`). */
function* hostsOfWord(word: string, each: Each): Steps<void> {
  const found = SCHEME.exec(word);
  if (found !== null) {
    const [scheme] = found;
    const rest = word.slice(found.index + scheme.length);
    if (!FILE.test(scheme)) yield* tell(hostsOfUrl(scheme, rest), each);
    // Only clients of databases take a host from settings behind an address.
    if (scheme === '' || SPECIAL.test(scheme)) return;
  }
  if (!word.includes('=')) return;
  for (const setting of partsOf(word, BETWEEN_SETTINGS)) {
    const equals = setting.indexOf('=');
    yield;
    if (equals > 0 && HOST_NAMES.has(nameWords(setting.slice(0, equals)).at(-1) ?? ''))
      yield* tell(bareHost(setting.slice(equals + 1), true), each);
  }
}

function* tell(hosts: Iterable<NamedHost>, each: Each): Steps<void> {
  for (const one of hosts) {
    each(one);
    yield;
  }
}

function* hostsOfUrl(scheme: string, rest: string): Generator<NamedHost> {
  const isShare = scheme === '\\\\';
  const authority = isShare ? rest.replace(LONG_PATH, '') : rest.replace(/^[/\\]+/, '');
  const frame = SPECIAL.test(scheme) && authority.length < rest.length ? 'url' : 'none';
  const [beforePath = ''] = authority.split(/[/\\?#]/, 1);
  yield* hostOf(isShare ? beforePath.replace(SHARE_PORT, '') : beforePath, frame);
  // Other parsers take a backslash for a character of the user's name.
  const [beforeSlash = ''] = authority.split(/[/?#]/, 1);
  if (beforeSlash.length > beforePath.length && beforeSlash.includes('@')) yield* hostOf(beforeSlash, frame);
}

/** Reads the hosts of a value that is a list of hosts and nothing else. */
function* bareHosts(value: string, isHost: boolean, each: Each): Steps<void> {
  const found: NamedHost[] = [];
  for (const part of partsOf(value, BETWEEN_HOSTS)) {
    if (part === '') continue;
    const known = found.length;
    for (const one of bareHost(part, isHost)) found.push(one);
    if (found.length === known) return;
    yield;
  }
  yield* tell(found, each);
}

function* hostsOfCommands(value: string, each: Each): Steps<void> {
  for (const [, host = ''] of value.matchAll(SOCKET_FILE)) yield* tell(hostOf(host, 'mark'), each);
  for (const command of partsOf(value, BETWEEN_COMMANDS)) {
    yield* hostsOfCommand(command.trim(), each);
    yield;
  }
}

function* hostsOfCommand(command: string, each: Each): Steps<void> {
  const words = partsOf(command, SPACE);
  if (!startsConnecting(words)) return;
  for (const word of words) {
    // An option may be written in one word with its host.
    const argument = unquoted(word).replace(/^-[a-z](?=.)/i, '');
    yield* hostsOfWord(argument, each);
    yield* tell(ANY_OWN.test(argument) ? hostOf('0', 'url') : bareHost(argument, true), each);
  }
}

/** Reads words up to a program that connects; false if there is none among the first. */
function startsConnecting(words: Iterator<string>): boolean {
  let isWrapped = false;
  for (let at = 0; at === 0 || (isWrapped && at < MAX_WRAPPED); at++) {
    const { done, value } = words.next();
    if (done) return false;
    if (at === 0) isWrapped = WRAPPER.test(value);
    if (connects(value)) return true;
  }
  return false;
}

function connects(word: string): boolean {
  const program = unquoted(word).toLowerCase();
  return CONNECTING.has(program.slice(program.lastIndexOf('/') + 1).replace(/\.exe$/, ''));
}

/** A shell drops quotes and backslashes within a word. */
const unquoted = (word: string): string => word.replace(/["'\\]/g, '');

/** Networks that hold every address. */
const EVERYWHERE = /^(?:0\.0\.0\.0|::)\/0$/;
/** As in the settings of SQL Server. */
const PROTOCOL = /^(?:tcp|np|lpc):/i;
const BARE_IPV6 = /^[\da-f]{0,4}:[\da-f:]*:[\da-f.]*(?:%[\w.]+)?(?:\/\d{1,3})?$/i;

/** Yields the host of an address without a scheme: with a user, a port, a path, or nothing. */
function* bareHost(text: string, isHost: boolean): Generator<NamedHost> {
  if (EVERYWHERE.test(text)) return;
  if (BARE_IPV6.test(text)) {
    // Two colons alone are a separator.
    if (/[\da-f]/i.test(text)) yield* hostOf(`[${text.replace(/\/.*$/, '')}]`, 'none');
    return;
  }
  const [authority = ''] = text.replace(PROTOCOL, '').split(/[/?#]/, 1);
  const hasUser = authority.includes('@');
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const colon = host.indexOf(':', host.lastIndexOf(']') + 1);
  const port = colon < 0 ? '' : host.slice(colon);
  // Behind a user a path may follow the colon: `user@host:path`.
  if (port !== '' && !hasUser && !/^:\d{1,5}$/.test(port)) return;
  const bare = colon < 0 ? host : host.slice(0, colon);
  // Behind a name and an @ numbers may be a version.
  const frame = port !== '' || isHost ? 'mark' : 'none';
  const mayBeHost = hasUser || isHost || LOOKS_LIKE_HOST.test(bare) || (port !== '' && NUMBER.test(bare));
  if (bare !== '' && mayBeHost) yield* hostOf(bare, frame);
}

/** Unlike a word, a host has a dot or brackets, or is the name of this computer. */
const LOOKS_LIKE_HOST = /^\[|[.。．｡]|%2e|^localhost$|^ip6-l/i;
/** Four numbers with dots between them are an address whatever stands around them. */
const FOUR_NUMBERS = /^(?:0x[\da-f]+|\d+)(?:\.(?:0x[\da-f]+|\d+)){3}\.?$/i;
const NUMBER = /^(?:0x[\da-f]+|\d+)$/i;
const THIS_NETWORK = /^0\.(?!0\.0\.0$)/;

/** What shows that a text is an address: the form of a URL; a user, a port or the name of its argument; nothing. */
type Frame = 'url' | 'mark' | 'none';

/** Characters that the standard allows in hosts and no host has: they end an address in a text, or separate hosts. */
const NO_HOST = /[!'()*,;{}]/g;

/** Yields the host of an authority as the URL standard parses it, and the hosts that others find in it. */
function* hostOf(authority: string, frame: Frame): Generator<NamedHost> {
  const withoutUser = authority.slice(authority.lastIndexOf('@') + 1);
  for (const part of partsOf(withoutUser, NO_HOST)) {
    const [spelled = ''] = /^(?:\[[^\]]*\]|[^:]*)/.exec(part) ?? [];
    // The standard has no zones; the systems that connect do.
    const url = `http://${spelled.replace(/^(\[[^\]%]*)%[^\]]*/, '$1')}/`;
    if (spelled === '' || !URL.canParse(url)) continue;
    const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
    yield { host, isVague: /^[\d.]+$/.test(host) && isVague(host, plain(spelled), frame) };
  }
}

/** Small numbers are counts, times and folders; shortened addresses are versions and amounts. */
function isVague(address: string, spelled: string, frame: Frame): boolean {
  if (frame === 'url') return false;
  if (!FOUR_NUMBERS.test(spelled)) return frame === 'none' || address.startsWith('0.');
  return THIS_NETWORK.test(address);
}

function plain(spelled: string): string {
  const decoded = /^(?:%[\da-f]{2}|[^%])*$/i.test(spelled)
    ? spelled.replace(/%([2-7][\da-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : spelled;
  return decoded.normalize('NFKC').replaceAll('。', '.');
}
