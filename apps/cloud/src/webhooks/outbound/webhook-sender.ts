/**
 * Module webhooks: signs and sends events to endpoints of tenants. Called by flows. Every URL passes the guard of
 * module outbound on connect; the status of a response decides, and its start is stored.
 */
import { WEBHOOK_HEADERS } from '@csg/shared/contract';
import { request } from 'undici';
import { AddressDenied } from '../../outbound/address-denied.ts';
import { checkUrl } from '../../outbound/check-url.ts';
import { type GuardRules, guardedDispatcher } from '../../outbound/guarded-connector.ts';
import { signatureHeaders } from '../sign-body.ts';
import { hiddenParts, readExcerpt } from './response-excerpt.ts';

export interface WebhookPost {
  readonly url: string;
  readonly body: string;
  readonly event: string;
  /** The same for all attempts. */
  readonly deliveryId: string;
  readonly isTest: boolean;
  readonly secrets: readonly string[];
}

export interface WebhookResponse {
  /** null: no response. */
  readonly status: number | null;
  /** null: a 2xx. One sentence for the operator of the endpoint. */
  readonly error: string | null;
  /** The start of the response body; absent or null: empty, or not text. */
  readonly excerpt?: string | null;
}

export interface WebhookSender {
  /** Makes one attempt. Never rejects; never takes longer than `timeoutMs`. */
  send(post: WebhookPost): Promise<WebhookResponse>;
}

const ENDPOINT_TIMEOUT_MS = 5_000;

export function createWebhookSender(rules: GuardRules & { readonly timeoutMs?: number } = {}): WebhookSender {
  const { timeoutMs = ENDPOINT_TIMEOUT_MS, ...guard } = rules;
  return {
    async send(post) {
      const checked = checkUrl(post.url, guard);
      if (!checked.ok) return { status: null, error: new AddressDenied(checked.reason).message };
      const deadline = AbortSignal.timeout(timeoutMs);
      // Not reused: the name is resolved and checked each time, and endpoints never wait for each other.
      const dispatcher = guardedDispatcher({ ...guard, connectTimeoutMs: timeoutMs });
      const body = Buffer.from(post.body);
      try {
        const response = await orDeadline(
          request(checked.url, {
            dispatcher,
            signal: deadline,
            method: 'POST',
            body,
            headers: {
              'content-type': 'application/json',
              'user-agent': 'ContentSecurityGateway-Webhook/1.0',
              [WEBHOOK_HEADERS.event]: post.event,
              [WEBHOOK_HEADERS.delivery]: post.deliveryId,
              ...(post.isTest ? { [WEBHOOK_HEADERS.test]: 'true' } : {}),
              ...signatureHeaders(body, post.secrets),
            },
            headersTimeout: 0,
            bodyTimeout: 0,
          }),
          deadline,
        );
        const excerpt = await readExcerpt(response, hiddenParts(checked.url, post.secrets));
        return { status: response.statusCode, error: statusProblem(response.statusCode), excerpt };
      } catch (error) {
        return {
          status: null,
          error: deadline.aborted
            ? `The endpoint did not respond within ${timeoutMs / 1000} seconds.`
            : connectionProblem(error),
        };
      } finally {
        void dispatcher.destroy();
      }
    },
  };
}

function statusProblem(status: number): string | null {
  if (status >= 200 && status <= 299) return null;
  if (status >= 300 && status <= 399) {
    return `The endpoint responded with ${status}. Redirects are not followed; enter the final URL.`;
  }
  return `The endpoint responded with ${status}.`;
}

/** Name resolution cannot be cancelled; a late result is ignored. */
function orDeadline<T>(work: Promise<T>, deadline: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    deadline.addEventListener('abort', () => reject(new Error('late')), { once: true });
    work.then(resolve, reject);
  });
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
