import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';

export interface WindowFile {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string;
}

/** Vite writes it into the built page; replaced at every load. */
export const NONCE_PLACEHOLDER = '__CSP_NONCE__';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The files of the window by path, with a content security policy that allows nothing from elsewhere. */
export function readWindowFile(windowDir: string, pathname: string): WindowFile {
  const name = pathname === '/' ? 'index.html' : pathname.slice(1);
  const type = TYPES[path.extname(name)];
  // Names of built files: letters, digits, `-`, `_`, `.` and one folder.
  const isBuiltFile = /^(?:assets\/)?[\w-][\w.-]*$/.test(name);
  if (type === undefined || !isBuiltFile) return notFound();
  let body: Buffer;
  try {
    body = readFileSync(path.join(windowDir, name));
  } catch {
    return notFound();
  }
  const nonce = randomBytes(16).toString('base64');
  const headers = {
    'content-type': type,
    'content-security-policy': policyOf(nonce),
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  };
  const isPage = name === 'index.html';
  return {
    status: 200,
    headers,
    body: isPage ? body.toString('utf8').replaceAll(NONCE_PLACEHOLDER, nonce) : body,
  };
}

function policyOf(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function notFound(): WindowFile {
  return { status: 404, headers: { 'content-type': 'text/plain' }, body: 'Not found.' };
}
