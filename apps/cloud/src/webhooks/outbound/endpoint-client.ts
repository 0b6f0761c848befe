/**
 * The one client of addresses that customers enter. Every URL passes the guard of module outbound on connect,
 * redirects are not followed, and no call takes longer than its time.
 */
import { WEBHOOK_HEADERS } from '@csg/shared/contract';
import { type Dispatcher, request } from 'undici';
import { AddressDenied } from '../../outbound/address-denied.ts';
import { checkUrl } from '../../outbound/check-url.ts';
import { type GuardRules, guardedDispatcher } from '../../outbound/guarded-connector.ts';
import { createGuardedDispatchers } from '../../outbound/guarded-dispatchers.ts';
import { signatureHeaders } from '../sign-body.ts';
import { hiddenParts, readExcerpt } from './response-excerpt.ts';

export interface EndpointCall {
  readonly url: string;
  readonly body: string;
  readonly event: string;
  /** The same for all attempts; null: the call is not a delivery. */
  readonly deliveryId: string | null;
  readonly isTest: boolean;
  readonly secrets: readonly string[];
  /** Default: the five seconds that receivers have. */
  readonly timeoutMs?: number;
  /** Set: the answer is read as a whole, and one that is longer is an error. Connections are reused for a while. */
  readonly maxAnswerBytes?: number;
}

export interface EndpointResponse {
  /** null: no response. */
  readonly status: number | null;
  /** null: a 2xx. One sentence for the operator of the endpoint. */
  readonly error: string | null;
  /** The start of the response body; absent or null: empty, or not text. */
  readonly excerpt?: string | null;
  /** The whole body of a 2xx, if it was asked for. */
  readonly answer?: string;
}

export interface EndpointClient {
  /** Makes one attempt. Never rejects; never takes longer than its time. */
  send(call: EndpointCall): Promise<EndpointResponse>;
  close(): Promise<void>;
}

const ENDPOINT_TIMEOUT_MS = 5_000;

export function createEndpointClient(
  rules: GuardRules & { readonly timeoutMs?: number } = {},
): EndpointClient {
  const { timeoutMs: defaultMs = ENDPOINT_TIMEOUT_MS, ...guard } = rules;
  const reused = createGuardedDispatchers(guard);
  return {
    async send(call) {
      const { timeoutMs = defaultMs, maxAnswerBytes } = call;
      const checked = checkUrl(call.url, guard);
      if (!checked.ok) return failed(new AddressDenied(checked.reason).message);
      const deadline = AbortSignal.timeout(timeoutMs);
      if (maxAnswerBytes !== undefined) {
        const dispatcher = reused.of(checked.url.origin);
        const post = postOf(checked.url, call, dispatcher, deadline);
        return await orDeadline(
          post.then((response) => readAnswer(response, maxAnswerBytes)),
          deadline,
          timeoutMs,
        );
      }
      // Not reused: the name is resolved and checked each time, and endpoints never wait for each other.
      const dispatcher = guardedDispatcher({ ...guard, connectTimeoutMs: timeoutMs });
      try {
        const post = postOf(checked.url, call, dispatcher, deadline);
        // What follows the status has a time of its own: an endpoint that has responded has responded.
        const response = await orDeadline(
          post.then((response) => ({ ...failed(null), response })),
          deadline,
          timeoutMs,
        );
        if (!('response' in response)) return response;
        const { statusCode } = response.response;
        const excerpt = await readExcerpt(response.response, hiddenParts(checked.url, call.secrets));
        return { status: statusCode, error: statusProblem(statusCode), excerpt };
      } finally {
        void dispatcher.destroy();
      }
    },
    close: () => reused.destroy(),
  };
}

function postOf(
  url: URL,
  { body: text, event, deliveryId, isTest, secrets, maxAnswerBytes }: EndpointCall,
  dispatcher: Dispatcher,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  const body = Buffer.from(text);
  const agent = maxAnswerBytes === undefined ? 'Webhook' : 'Policy';
  return request(url, {
    ...{ dispatcher, signal, method: 'POST', body, headersTimeout: 0, bodyTimeout: 0 },
    headers: {
      'content-type': 'application/json',
      ...(maxAnswerBytes !== undefined && { accept: 'application/json' }),
      'user-agent': `ContentSecurityGateway-${agent}/1.0`,
      [WEBHOOK_HEADERS.event]: event,
      ...(deliveryId !== null && { [WEBHOOK_HEADERS.delivery]: deliveryId }),
      ...(isTest && { [WEBHOOK_HEADERS.test]: 'true' }),
      ...signatureHeaders(body, secrets),
    },
  });
}

async function readAnswer(
  { statusCode: status, body }: Dispatcher.ResponseData,
  maxBytes: number,
): Promise<EndpointResponse> {
  const error = statusProblem(status);
  const chunks: Buffer[] = [];
  let size = 0;
  if (error === null) {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) break;
      chunks.push(chunk);
    }
  }
  if (error === null && size <= maxBytes) {
    return { status, error, answer: Buffer.concat(chunks).toString('utf8') };
  }
  body.on('error', () => {}).destroy();
  return { status, error: error ?? 'The response is much longer than the content.' };
}

/** Name resolution cannot be cancelled; a late result is ignored. */
function orDeadline<T>(work: Promise<T>, deadline: AbortSignal, timeoutMs: number) {
  return new Promise<T | EndpointResponse>((resolve) => {
    const late = failed(`The endpoint did not respond within ${timeoutMs / 1000} seconds.`);
    deadline.addEventListener('abort', () => resolve(late), { once: true });
    work.then(resolve, (error: unknown) =>
      resolve(deadline.aborted ? late : failed(connectionProblem(error))),
    );
  });
}

const failed = <E extends string | null>(error: E) => ({ status: null, error });

function statusProblem(status: number): string | null {
  if (status >= 200 && status <= 299) return null;
  if (status >= 300 && status <= 399) {
    return `The endpoint responded with ${status}. Redirects are not followed; enter the final URL.`;
  }
  return `The endpoint responded with ${status}.`;
}
function connectionProblem(error: unknown): string {
  if (error instanceof AddressDenied) return error.message;
  const { code = '', name = '' } = error as NodeJS.ErrnoException;
  if (code === 'ECONNREFUSED') return 'The endpoint refused the connection.';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return 'The certificate of the endpoint is for another host name.';
  }
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code))
    return 'The certificate of the endpoint is not trusted.';
  if (/^(ERR_SSL|EPROTO|ERR_TLS)/.test(code)) return 'The TLS connection to the endpoint failed.';
  if (name === 'HTTPParserError' || code.startsWith('UND_ERR_RES') || code === 'UND_ERR_HEADERS_OVERFLOW') {
    return 'The endpoint sent an invalid HTTP response.';
  }
  if (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE') {
    return 'The endpoint closed the connection before it responded.';
  }
  return `The endpoint cannot be reached${code === '' ? '' : ` (${code})`}.`;
}
