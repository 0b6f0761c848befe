import { POLICY_VERDICT_EVENT } from '@csg/shared/contract';
import type { EndpointCall, EndpointClient, EndpointResponse } from '../outbound/endpoint-client.ts';

export type PolicyResponse =
  | { readonly verdict: 'allow' | 'block'; readonly reason: string | null }
  | { readonly verdict: 'redact'; readonly reason: string | null; readonly redactedContent: string }
  /** The response had an unknown verdict: counts as allow. */
  | { readonly verdict: 'invalid' }
  | { readonly verdict: 'error'; readonly error: string };

const MAX_REASON = 500;
/** Allowance for JSON and escapes, in addition to the content sent. */
const OVERHEAD_BYTES = 65_536;

/** Calls a policy endpoint, on the path of a decision. Never rejects; never takes longer than `timeoutMs`. */
export async function askPolicy(
  client: Pick<EndpointClient, 'send'>,
  call: Pick<EndpointCall, 'url' | 'secrets' | 'body' | 'isTest'> & { readonly timeoutMs: number },
): Promise<PolicyResponse & Pick<EndpointResponse, 'status'>> {
  const maxAnswerBytes = 2 * Buffer.byteLength(call.body) + OVERHEAD_BYTES;
  const about = { event: POLICY_VERDICT_EVENT, deliveryId: null, maxAnswerBytes };
  const { status, error, answer = '' } = await client.send({ ...call, ...about });
  return { status, ...(error === null ? readResponse(answer) : failed(error)) };
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
