import { POLICY_VERDICT_EVENT, type PolicyVerdictRequest, WEBHOOK_HEADERS } from '@csg/shared/contract';
import { request } from 'undici';
import { AddressDenied } from '../../outbound/address-denied.ts';
import { checkUrl } from '../../outbound/check-url.ts';
import type { GuardRules } from '../../outbound/guarded-connector.ts';
import { createGuardedDispatchers } from '../../outbound/guarded-dispatchers.ts';
import { signatureHeaders } from '../sign-body.ts';

export type PolicyResponse =
  | { readonly verdict: 'allow' | 'block'; readonly reason: string | null }
  | { readonly verdict: 'redact'; readonly reason: string | null; readonly redactedContent: string }
  /** The response had an unknown verdict: counts as allow. */
  | { readonly verdict: 'invalid' }
  | { readonly verdict: 'error'; readonly error: string };

export interface PolicyWebhookClient {
  /** Never rejects; never takes longer than `timeoutMs`. */
  evaluate(
    target: { readonly url: string; readonly timeoutMs: number; readonly secrets: readonly string[] },
    question: PolicyVerdictRequest,
  ): Promise<PolicyResponse>;
  close(): Promise<void>;
}

const MAX_REASON = 500;
/** Allowance for JSON and escapes, in addition to the content sent. */
const OVERHEAD_BYTES = 65_536;

/** Reuses connections briefly, because it is on the path of every scan. Each is opened through the guard. */
export function createPolicyWebhookClient(rules: GuardRules = {}): PolicyWebhookClient {
  const dispatchers = createGuardedDispatchers(rules);

  async function exchange(
    url: URL,
    body: Buffer,
    secrets: readonly string[],
    deadline: AbortSignal,
  ): Promise<PolicyResponse> {
    const response = await request(url, {
      dispatcher: dispatchers.of(url.origin),
      signal: deadline,
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        'user-agent': 'ContentSecurityGateway-Policy/1.0',
        [WEBHOOK_HEADERS.event]: POLICY_VERDICT_EVENT,
        ...signatureHeaders(body, secrets),
      },
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    if (response.statusCode < 200 || response.statusCode > 299) {
      response.body.on('error', () => {}).destroy();
      return failed(`The endpoint responded with ${response.statusCode}.`);
    }
    const maxBytes = 2 * body.length + OVERHEAD_BYTES;
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of response.body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) {
        response.body.on('error', () => {}).destroy();
        return failed('The response is much longer than the content.');
      }
      chunks.push(chunk);
    }
    return readResponse(Buffer.concat(chunks).toString('utf8'));
  }

  return {
    async evaluate({ url, timeoutMs, secrets }, question) {
      const checked = checkUrl(url, rules);
      if (!checked.ok) return failed(new AddressDenied(checked.reason).message);
      const deadline = AbortSignal.timeout(timeoutMs);
      const late = new Promise<PolicyResponse>((resolve) => {
        const response = failed(`The endpoint did not respond within ${timeoutMs} ms.`);
        deadline.addEventListener('abort', () => resolve(response), { once: true });
      });
      const work = exchange(checked.url, Buffer.from(JSON.stringify(question)), secrets, deadline).catch(
        (error: unknown): PolicyResponse =>
          failed(error instanceof AddressDenied ? error.message : 'The endpoint cannot be reached.'),
      );
      // Name resolution cannot be cancelled; a late result is ignored.
      return await Promise.race([work, late]);
    },
    close: () => dispatchers.destroy(),
  };
}

/** Parses the response; a value that is not an object, or a redaction without its text, is an error. */
export function readResponse(text: string): PolicyResponse {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return failed('The response is not JSON.');
  }
  if (typeof value !== 'object' || value === null || !('verdict' in value)) {
    return failed('The response has no verdict.');
  }
  const given = value as { verdict: unknown; reason?: unknown; redacted_content?: unknown };
  const reason = typeof given.reason === 'string' ? given.reason.slice(0, MAX_REASON) : null;
  switch (given.verdict) {
    case 'allow':
    case 'block':
      return { verdict: given.verdict, reason };
    case 'redact':
      return typeof given.redacted_content === 'string'
        ? { verdict: 'redact', reason, redactedContent: given.redacted_content }
        : failed('The response redacts without redacted_content.');
    default:
      return { verdict: 'invalid' };
  }
}

function failed(error: string): PolicyResponse {
  return { verdict: 'error', error };
}
