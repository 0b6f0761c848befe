/** How far into a page its own word about its charset is looked for (HTML standard, 13.2.3.2). */
const PRESCAN_BYTES = 1024;
const DEFAULT = 'utf-8';
/** What a page without a word about it, that is no UTF-8, is in most of the time (and what browsers take). */
const FALLBACK = 'windows-1252';

/**
 * The text of a page: a byte order mark wins, then the header's charset, then the page's own `<meta charset>` or XML
 * declaration, then UTF-8 where the bytes are that. An unknown name in the header counts as none.
 */
export function decodeText(body: Uint8Array, contentType: string): string {
  const named =
    readMark(body) ?? known(readParameter(contentType)) ?? known(readDeclared(body)) ?? guess(body);
  return new TextDecoder(named).decode(body);
}

function readMark(body: Uint8Array): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8';
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be';
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le';
  return undefined;
}

function readParameter(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*"?([^\s";]{1,40})/i.exec(contentType.slice(0, 500))?.[1];
}

function readDeclared(body: Uint8Array): string | undefined {
  const head = new TextDecoder('latin1').decode(body.subarray(0, PRESCAN_BYTES));
  const name =
    /<meta[^>]{0,300}?charset\s*=\s*["']?\s*([^\s"'/>;]{1,40})/i.exec(head)?.[1] ??
    /^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([^"']{1,40})/i.exec(head)?.[1];
  // What could be read as ASCII to get here is not UTF-16, whatever it says (HTML standard, prescan).
  return name !== undefined && /^utf-?16/i.test(name) ? DEFAULT : name;
}

/** The name where there is a decoder for it. `replacement` stands for encodings that only served attacks. */
function known(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  try {
    return new TextDecoder(name).encoding;
  } catch {
    return undefined;
  }
}

function guess(body: Uint8Array): string {
  try {
    new TextDecoder(DEFAULT, { fatal: true }).decode(body);
    return DEFAULT;
  } catch {
    return FALLBACK;
  }
}
