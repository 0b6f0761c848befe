/** A domain in a text: half-open UTF-16 range, and the normalized name. */
export interface FoundDomain {
  readonly start: number;
  readonly end: number;
  readonly domain: string;
}

const MAX_NAME = 253;
const MAX_LINK = 2_048;
const NAME = /[\p{L}\p{N}\p{M}_-]/u;
const LINK_END = /[\s"'<>`|\\^{}\])]/;
const HAS_NON_ASCII = /[^\0-\x7f]/;

/** Normalizes a domain for comparison: lower case, in ASCII, without final dot; null: not a domain. */
export function normalDomain(text: string): string | null {
  const name = text.trim().replace(/\.$/, '');
  if (/[/?#@:\\\s]/.test(name)) return null;
  const host = URL.parse(`http://${name}/`)?.hostname;
  return host === undefined || !/^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/.test(host) ? null : host;
}

/** True if a domain or a parent domain is in the set. */
export function isListed(domain: string, list: ReadonlySet<string>): boolean {
  for (let name = domain; ; ) {
    if (list.has(name)) return true;
    const dot = name.indexOf('.');
    if (dot < 0) return false;
    name = name.slice(dot + 1);
  }
}

/** Finds every name with a dot, in links or outside of them. Linear in the text. */
export function findNames(text: string): FoundDomain[] {
  const found: FoundDomain[] = [];
  let done = 0;
  for (let dot = text.indexOf('.'); dot >= 0; dot = text.indexOf('.', Math.max(dot + 1, done))) {
    let start = dot;
    while (start > done && dot - start < MAX_NAME && NAME.test(text[start - 1]!)) start -= 1;
    let end = dot + 1;
    while (end < text.length && end - start < MAX_NAME && (text[end] === '.' || NAME.test(text[end]!)))
      end += 1;
    done = end;
    if (start === dot) continue;
    const raw = text.slice(start, end).replace(/\.+$/, '');
    const domain = HAS_NON_ASCII.test(raw) ? normalDomain(raw) : raw.toLowerCase();
    if (domain?.includes('.')) found.push({ start, end: start + raw.length, domain });
  }
  return found;
}

/** Finds the hosts of links: `scheme://…`, `//…` in an attribute or brackets, `www.…`. Linear in the text. */
export function findLinks(text: string): FoundDomain[] {
  const found: FoundDomain[] = [];
  for (let at = text.indexOf('//'); at >= 0; at = text.indexOf('//', at + 2)) {
    const before = text[at - 1] ?? '';
    const isAbsolute = before === ':' && /[a-z]/i.test(text[at - 2] ?? '');
    if (!isAbsolute && !/["'(=]/.test(before)) continue;
    add(found, text, at + 2);
  }
  for (let at = text.search(WWW); at >= 0; ) {
    add(found, text, at);
    const next = text.slice(at + 4).search(WWW);
    at = next < 0 ? -1 : at + 4 + next;
  }
  return found;
}

const WWW = /(?<![\p{L}\p{N}./@-])www\./iu;

function add(found: FoundDomain[], text: string, from: number): void {
  let end = from;
  while (end < text.length && end - from < MAX_LINK && !LINK_END.test(text[end]!)) end += 1;
  // The host of `https://good.example@evil.example/` is the last part, so a URL parser decides.
  const domain = URL.parse(`http://${text.slice(from, end)}`)?.hostname.replace(/\.$/, '');
  if (domain?.includes('.')) found.push({ start: from, end, domain });
}
