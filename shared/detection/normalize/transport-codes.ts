import { byteAt } from './escapes.ts';

export const MIN_BASE64 = 16;

/** The run of hex or base64 characters around `at`. */
export function codeRun(text: string, at: number, from: number, to: number): [number, number] {
  let start = at;
  let end = at;
  while (start > from && isCode(text.charCodeAt(start - 1))) start--;
  while (end < to && isCode(text.charCodeAt(end))) end++;
  return [start, end];
}

function isCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 47 && code <= 57) ||
    code === 43 ||
    code === 61 ||
    code === 45 ||
    code === 95
  );
}

export function fromHex(run: string): string | undefined {
  if (
    run.length % 2 !== 0 ||
    !/^[0-9a-f]+$/i.test(run) ||
    /^\d+$/.test(run.slice(0, 40)) === /[a-f]/i.test(run)
  )
    return undefined;
  const bytes = new Uint8Array(run.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = byteAt(run, i * 2);
  return readable(bytes);
}

export function fromBase64(run: string): string | undefined {
  const plain = run.replace(/-/g, '+').replace(/_/g, '/').replace(/=+$/, '');
  // words and paths are letters of one case mostly; base64 of text mixes cases
  if (plain.length < MIN_BASE64 || plain.includes('=') || !/[a-z]/.test(plain) || !/[A-Z]/.test(plain))
    return undefined;
  const bytes = atob(plain.slice(0, plain.length - (plain.length % 4 === 1 ? 1 : 0)));
  const codes = new Uint8Array(bytes.length);
  for (let i = 0; i < bytes.length; i++) codes[i] = bytes.charCodeAt(i);
  return readable(codes);
}

const utf8 = new TextDecoder();

/** Bytes as text when nearly all of it is letters and blanks. */
function readable(bytes: Uint8Array): string | undefined {
  if (bytes.length < 8) return undefined;
  const text = utf8.decode(bytes);
  let good = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0xfffd || (code < 32 && code !== 10 && code !== 13 && code !== 9)) return undefined;
    if ((code | 32) >= 97 && (code | 32) <= 122) good++;
    else if (code === 32 || code > 0xbf) good++;
  }
  return good >= text.length * 0.75 ? text : undefined;
}
