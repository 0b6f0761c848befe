/**
 * Room scrape: fetches pages that a tenant names and reads what is in them. Called by flows. Every address goes
 * through the guard of room outbound; nothing of a page is run, kept or judged here.
 */

import { type Dispatcher, request } from 'undici';
import type { IncomingHttpHeaders } from 'undici/types/header.js';
import { AddressRefused } from '../outbound/address-refused.ts';
import { checkUrl } from '../outbound/check-url.ts';
import { decodeBody } from '../outbound/decode-body.ts';
import { type GuardRules, guardedDispatcher } from '../outbound/guarded-connector.ts';
import { decodeText } from './decode-text.ts';
import { PageFault, type PageFaultReason } from './page-fault.ts';
import { type PageType, readPageType } from './page-type.ts';

/** The page as it came, and after decompression. */
export const MAX_PAGE_BYTES = 10 * 1024 * 1024;
const MAX_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];

export interface FetchedPage {
  /** Where the redirects led. */
  readonly url: string;
  readonly type: PageType;
  /** Empty for a PDF. */
  readonly text: string;
  /** Set for a PDF. */
  readonly bytes?: Uint8Array;
  /** Set where a browser laid it out: the attribute that says of each element why people do not see its text. */
  readonly computed?: string;
}

export interface PageFetcher {
  /** One page, within `timeoutMs` for everything together. Rejects with PageFault and nothing else. */
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
      // Connections are not kept: the next page of the same name is resolved and checked anew.
      const dispatcher = guardedDispatcher({ ...rules, connectTimeoutMs: timeoutMs });
      try {
        return await orTimeout(fetchFollowing(url, rules, dispatcher, deadline), deadline);
      } catch (error) {
        throw asFault(error, deadline);
      } finally {
        // Whatever is still under way, such as an endless body, ends here.
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
    if (!checked.ok) throw new PageFault('address_refused', { refusal: checked.reason });
    const { url } = checked;
    url.hash = '';
    if (seen.has(url.href)) throw new PageFault('redirect_loop');
    seen.add(url.href);
    const answer = await request(url, {
      dispatcher,
      signal,
      method: 'GET',
      headers: HEADERS,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const location = one(answer.headers, 'location');
    if (REDIRECTS.includes(answer.statusCode) && location !== '') {
      discard(answer.body);
      next = resolveLocation(location, url);
      continue;
    }
    if (answer.statusCode < 200 || answer.statusCode > 299) {
      discard(answer.body);
      throw new PageFault('page_status', { pageStatus: answer.statusCode });
    }
    return { url: url.href, ...(await readBody(answer)) };
  }
  throw new PageFault('too_many_redirects');
}

async function readBody(
  answer: Dispatcher.ResponseData,
): Promise<Pick<FetchedPage, 'type' | 'text' | 'bytes'>> {
  const contentType = one(answer.headers, 'content-type');
  // Refused before its body is waited for, where the header already says enough.
  if (contentType !== '') requireReadable(readPageType(contentType, new Uint8Array()), answer);
  if (Number(one(answer.headers, 'content-length')) > MAX_PAGE_BYTES) {
    discard(answer.body);
    throw new PageFault('too_large');
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_PAGE_BYTES) throw new PageFault('too_large');
    chunks.push(chunk);
  }
  const decoded = await decodeBody(Buffer.concat(chunks), answer.headers['content-encoding'], MAX_PAGE_BYTES);
  if ('fault' in decoded) throw new PageFault(decoded.fault === 'truncated' ? 'cut_off' : decoded.fault);
  const type = requireReadable(readPageType(contentType, decoded.body), answer);
  if (type === 'pdf') return { type, text: '', bytes: decoded.body };
  return { type, text: decodeText(decoded.body, contentType) };
}

function requireReadable(type: PageType | 'other', answer: Pick<Dispatcher.ResponseData, 'body'>): PageType {
  if (type !== 'other') return type;
  discard(answer.body);
  throw new PageFault('unsupported_type');
}

/** Ends the connection: what it still holds is not wanted. */
function discard(body: Dispatcher.ResponseData['body']): void {
  body.on('error', () => {});
  body.destroy();
}

function resolveLocation(location: string, from: URL): string {
  const target = URL.parse(location, from.href);
  if (target === null) throw new PageFault('address_refused', { refusal: 'not_a_url' });
  return target.href;
}

function one(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  return (typeof value === 'string' ? value : value?.[0]) ?? '';
}

/** Resolving and decompressing cannot be called off; what is late is left behind. */
function orTimeout<T>(work: Promise<T>, deadline: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    deadline.addEventListener('abort', () => reject(new PageFault('timeout')), { once: true });
    work.then(resolve, reject);
  });
}

function asFault(error: unknown, deadline: AbortSignal): PageFault {
  if (error instanceof PageFault) return error;
  if (deadline.aborted) return new PageFault('timeout');
  if (error instanceof AddressRefused) {
    return new PageFault('address_refused', { refusal: error.reason, cause: error });
  }
  return new PageFault(reasonOf((error as NodeJS.ErrnoException | undefined)?.code ?? ''), { cause: error });
}

function reasonOf(code: string): PageFaultReason {
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return 'unreachable';
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/.test(code)) return 'certificate';
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'too_large';
  return code === 'UND_ERR_SOCKET' ? 'cut_off' : 'unreachable';
}
