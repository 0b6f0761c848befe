/**
 * JSON with the names of every object sorted by UTF-16 code unit, no spaces, members that are undefined left out
 * (RFC 8785): the same value is the same text for whoever signs it and whoever checks it. Throws TypeError on what
 * JSON has no word for.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError('JSON has no such number');
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object') throw new TypeError(`JSON has no word for a ${typeof value}`);
  const members = value as Readonly<Record<string, unknown>>;
  const parts: string[] = [];
  for (const name of Object.keys(members).sort()) {
    if (members[name] === undefined) continue;
    parts.push(`${JSON.stringify(name)}:${canonicalJson(members[name])}`);
  }
  return `{${parts.join(',')}}`;
}

/** What is signed: a line that names the format, so that no other signed text can pass for it, then the value. */
export function signedText(format: string, value: unknown): string {
  return `${format}\n${canonicalJson(value)}`;
}
