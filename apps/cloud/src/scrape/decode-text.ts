/** How far into a page its own charset declaration is searched (HTML standard, 13.2.3.2). */
const PRESCAN_BYTES = 1024;
const DEFAULT = 'utf-8';
/** The most likely charset of a page that declares none and is not UTF-8, as in browsers. */
const FALLBACK = 'windows-1252';

/**
 * Decodes a page by its byte order mark, else the header's charset, else its own `<meta charset>` or XML declaration,
 * else as UTF-8 if the bytes are valid. An unknown name in the header is ignored.
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
  // A declaration that is readable as ASCII cannot be in UTF-16, whatever it says (HTML standard, prescan).
  return name !== undefined && /^utf-?16/i.test(name) ? DEFAULT : name;
}

/** Returns the name if there is a decoder for it. `replacement` is for encodings that are only used in attacks. */
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
