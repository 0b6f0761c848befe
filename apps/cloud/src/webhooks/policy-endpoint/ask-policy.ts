import { POLICY_VERDICT_EVENT, type PolicyVerdictRequest, WEBHOOK_HEADERS } from '@csg/shared/contract';
import { type Agent, request } from 'undici';
import { AddressDenied } from '../../outbound/address-denied.ts';
import { checkUrl } from '../../outbound/check-url.ts';
import { type GuardRules, guardedDispatcher } from '../../outbound/guarded-connector.ts';
import { signatureHeaders } from '../sign-body.ts';

export type PolicyAnswer =
  | { readonly verdict: 'allow' | 'block'; readonly reason: string | null }
  | { readonly verdict: 'redact'; readonly reason: string | null; readonly redactedContent: string }
  /** Of a verdict there is no such value: counts as allow. */
  | { readonly verdict: 'invalid' }
  | { readonly verdict: 'error'; readonly error: string };

export interface PolicyAsker {
  /** Never rejects; never takes longer than `timeoutMs`. */
  ask(
    target: { readonly url: string; readonly timeoutMs: number; readonly secrets: readonly string[] },
    question: PolicyVerdictRequest,
  ): Promise<PolicyAnswer>;
  close(): Promise<void>;
}

const MAX_KEPT = 200;
const MAX_REASON = 500;
/** Beyond the content that was sent: room for JSON and escapes. */
const ROOM_BYTES = 65_536;

/** Asks over connections that are kept for a moment: it is on the path of every scan. Each is opened through the guard. */
export function createPolicyAsker(rules: GuardRules = {}): PolicyAsker {
  const dispatchers = new Map<string, Agent>();

  function dispatcherFor(origin: string): Agent {
    let found = dispatchers.get(origin);
    if (found === undefined) {
      if (dispatchers.size >= MAX_KEPT) {
        const [oldest, agent] = dispatchers.entries().next().value!;
        dispatchers.delete(oldest);
        void agent.close();
      }
      found = guardedDispatcher(rules);
      dispatchers.set(origin, found);
    }
    return found;
  }

  async function exchange(
    url: URL,
    body: Buffer,
    secrets: readonly string[],
    deadline: AbortSignal,
  ): Promise<PolicyAnswer> {
    const answer = await request(url, {
      dispatcher: dispatcherFor(url.origin),
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
    if (answer.statusCode < 200 || answer.statusCode > 299) {
      answer.body.on('error', () => {}).destroy();
      return failed(`The endpoint answered ${answer.statusCode}.`);
    }
    const most = 2 * body.length + ROOM_BYTES;
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > most) {
        answer.body.on('error', () => {}).destroy();
        return failed('The answer is far longer than the content.');
      }
      chunks.push(chunk);
    }
    return readAnswer(Buffer.concat(chunks).toString('utf8'));
  }

  return {
    async ask({ url, timeoutMs, secrets }, question) {
      const checked = checkUrl(url, rules);
      if (!checked.ok) return failed(new AddressDenied(checked.reason).message);
      const deadline = AbortSignal.timeout(timeoutMs);
      const late = new Promise<PolicyAnswer>((resolve) => {
        const answer = failed(`The endpoint did not answer within ${timeoutMs} ms.`);
        deadline.addEventListener('abort', () => resolve(answer), { once: true });
      });
      const work = exchange(checked.url, Buffer.from(JSON.stringify(question)), secrets, deadline).catch(
        (error: unknown): PolicyAnswer =>
          failed(error instanceof AddressDenied ? error.message : 'The endpoint cannot be reached.'),
      );
      // Resolving a name cannot be called off; what is late is left behind.
      return await Promise.race([work, late]);
    },
    async close() {
      await Promise.all([...dispatchers.values()].map((agent) => agent.destroy()));
    },
  };
}

/** The answer's JSON; what is not an object, or a redaction without its text, is an error. */
export function readAnswer(text: string): PolicyAnswer {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return failed('The answer is not JSON.');
  }
  if (typeof value !== 'object' || value === null || !('verdict' in value)) {
    return failed('The answer has no verdict.');
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
        : failed('The answer redacts without redacted_content.');
    default:
      return { verdict: 'invalid' };
  }
}

function failed(error: string): PolicyAnswer {
  return { verdict: 'error', error };
}
