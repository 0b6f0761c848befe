/**
 * Module scrape: fetches pages that a tenant names and extracts their content. Called by flows. Every URL passes the
 * guard of module outbound; nothing of a page is executed, stored or evaluated here.
 */

import { type Dispatcher, request } from 'undici';
import type { IncomingHttpHeaders } from 'undici/types/header.js';
import { AddressDenied } from '../outbound/address-denied.ts';
import { checkUrl } from '../outbound/check-url.ts';
import { decodeBody } from '../outbound/decode-body.ts';
import { type GuardRules, guardedDispatcher } from '../outbound/guarded-connector.ts';
import { decodeText } from './decode-text.ts';
import { PageError, type PageErrorReason } from './page-error.ts';

/** Limit for the page as received, and after decompression. */
export const MAX_PAGE_BYTES = 10 * 1024 * 1024;
const MAX_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];

export interface FetchedPage {
  /** Final URL after redirects. */
  readonly url: string;
  readonly type: PageType;
  /** Empty for a PDF. */
  readonly text: string;
  /** Set for a PDF. */
  readonly bytes?: Uint8Array;
  /** Set if a browser rendered the page: the attribute in which each element has the reason why its text is hidden. */
  readonly computed?: string;
}

export interface PageFetcher {
  /** Fetches one page; `timeoutMs` covers everything. Rejects with PageError and nothing else. */
  fetch(url: string, timeoutMs: number): Promise<FetchedPage>;
}

const HEADERS = {
  'user-agent': 'Mozilla/5.0 (compatible; ContentSecurityGateway/1.0)',
  accept: 'text/html,application/xhtml+xml,text/plain;q=0.9,application/json;q=0.9,application/xml;q=0.8',
  'accept-encoding': 'gzip, br, deflate',
  'accept-language': 'en,*;q=0.5',
};

export function createPageFetcher(rules: GuardRules = {}): PageFetcher {
  return {
    async fetch(url, timeoutMs) {
      const deadline = AbortSignal.timeout(timeoutMs);
      // Connections are not reused: the next page of the same name is resolved and checked again.
      const dispatcher = guardedDispatcher({ ...rules, connectTimeoutMs: timeoutMs });
      try {
        return await orTimeout(fetchFollowing(url, rules, dispatcher, deadline), deadline);
      } catch (error) {
        throw toPageError(error, deadline);
      } finally {
        // Ends everything still in progress, such as an endless body.
        void dispatcher.destroy();
      }
    },
  };
}

async function fetchFollowing(
  from: string,
  rules: GuardRules,
  dispatcher: Dispatcher,
  signal: AbortSignal,
): Promise<FetchedPage> {
  const seen = new Set<string>();
  let next = from;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const checked = checkUrl(next, rules);
    if (!checked.ok) throw new PageError('address_refused', { denyReason: checked.reason });
    const { url } = checked;
    url.hash = '';
    if (seen.has(url.href)) throw new PageError('redirect_loop');
    seen.add(url.href);
    const response = await request(url, {
      dispatcher,
      signal,
      method: 'GET',
      headers: HEADERS,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const location = one(response.headers, 'location');
    if (REDIRECTS.includes(response.statusCode) && location !== '') {
      discard(response.body);
      next = resolveLocation(location, url);
      continue;
    }
    if (response.statusCode < 200 || response.statusCode > 299) {
      discard(response.body);
      throw new PageError('page_status', { pageStatus: response.statusCode });
    }
    return { url: url.href, ...(await readBody(response)) };
  }
  throw new PageError('too_many_redirects');
}

async function readBody(
  response: Dispatcher.ResponseData,
): Promise<Pick<FetchedPage, 'type' | 'text' | 'bytes'>> {
  const contentType = one(response.headers, 'content-type');
  // Rejects the page before its body arrives if the headers suffice.
  if (contentType !== '') requireReadable(readPageType(contentType, new Uint8Array()), response);
  if (Number(one(response.headers, 'content-length')) > MAX_PAGE_BYTES) {
    discard(response.body);
    throw new PageError('too_large');
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response.body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_PAGE_BYTES) throw new PageError('too_large');
    chunks.push(chunk);
  }
  const decoded = await decodeBody(
    Buffer.concat(chunks),
    response.headers['content-encoding'],
    MAX_PAGE_BYTES,
  );
  if ('error' in decoded) throw new PageError(decoded.error === 'truncated' ? 'cut_off' : decoded.error);
  const type = requireReadable(readPageType(contentType, decoded.body), response);
  if (type === 'pdf') return { type, text: '', bytes: decoded.body };
  return { type, text: decodeText(decoded.body, contentType) };
}

function requireReadable(
  type: PageType | 'other',
  response: Pick<Dispatcher.ResponseData, 'body'>,
): PageType {
  if (type !== 'other') return type;
  discard(response.body);
  throw new PageError('unsupported_type');
}

/** Closes the connection and discards the rest of the body. */
function discard(body: Dispatcher.ResponseData['body']): void {
  body.on('error', () => {});
  body.destroy();
}

function resolveLocation(location: string, from: URL): string {
  const target = URL.parse(location, from.href);
  if (target === null) throw new PageError('address_refused', { denyReason: 'not_a_url' });
  return target.href;
}

function one(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  return (typeof value === 'string' ? value : value?.[0]) ?? '';
}

/** Resolving and decompressing cannot be cancelled; a late result is ignored. */
function orTimeout<T>(work: Promise<T>, deadline: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    deadline.addEventListener('abort', () => reject(new PageError('timeout')), { once: true });
    work.then(resolve, reject);
  });
}

function toPageError(error: unknown, deadline: AbortSignal): PageError {
  if (error instanceof PageError) return error;
  if (deadline.aborted) return new PageError('timeout');
  if (error instanceof AddressDenied) {
    return new PageError('address_refused', { denyReason: error.reason, cause: error });
  }
  return new PageError(reasonOf((error as NodeJS.ErrnoException | undefined)?.code ?? ''), { cause: error });
}

function reasonOf(code: string): PageErrorReason {
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return 'unreachable';
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/.test(code)) return 'certificate';
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'too_large';
  return code === 'UND_ERR_SOCKET' ? 'cut_off' : 'unreachable';
}

type PageType = 'html' | 'text' | 'json' | 'xml' | 'pdf';

/** Returns the text type of a Content-Type; `other` is not read. Without one, the start of the body decides. */
export function readPageType(contentType: string, body: Uint8Array): PageType | 'other' {
  const mime = (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
  if (mime === 'application/pdf' || startsWith(body, '%PDF-')) return 'pdf';
  if (mime === 'text/html' || mime === 'application/xhtml+xml') return 'html';
  if (mime === 'application/json' || mime.endsWith('+json')) return 'json';
  if (mime === 'image/svg+xml') return 'html';
  if (mime === 'text/xml' || mime === 'application/xml' || mime.endsWith('+xml')) return 'xml';
  if (mime.startsWith('text/')) return 'text';
  if (mime !== '') return 'other';
  // For servers that send no type: it is text if its start has no control characters.
  const head = body.subarray(0, 1024);
  if (head.some((byte) => byte < 9 || (byte > 13 && byte < 27))) return 'other';
  return /<(?:!doctype|html|head|body|div|p|script|title)\b/i.test(new TextDecoder('latin1').decode(head))
    ? 'html'
    : 'text';
}

function startsWith(body: Uint8Array, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (body[i] !== text.charCodeAt(i)) return false;
  return true;
}
