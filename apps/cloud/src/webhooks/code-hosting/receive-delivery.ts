import { createHmac, timingSafeEqual } from 'node:crypto';
import { CodedError, type CodeHostReply } from '@csg/shared/contract';
import { conversationOf, parseStrictJson } from '@csg/shared/text';
import { type EvaluateDeps, type Evaluation, evaluate } from '../../flows/decision/evaluate.ts';
import { rejectLongTexts } from '../../flows/decision/unscannable.ts';
import { type ProjectPrincipalDeps, principalOfProject } from '../../flows/principal-of-project.ts';
import type { Storage } from '../../storage/storage.ts';
import { deliveryTexts, repositoryOf } from './delivery-texts.ts';

export interface ReceiveDeps extends EvaluateDeps, ProjectPrincipalDeps {
  readonly storage: EvaluateDeps['storage'] &
    ProjectPrincipalDeps['storage'] &
    Pick<Storage, 'codeRepositories'>;
  readonly scanner: EvaluateDeps['scanner'] & ProjectPrincipalDeps['scanner'];
  /** undefined: not configured, and no delivery can be genuine. */
  readonly codeHostSecret: string | undefined;
}

export interface Delivery {
  readonly bytes: Buffer;
  /** `sha256=<hex>` over the bytes. */
  readonly signature: string | undefined;
  readonly event: string | undefined;
  /** Does not change when the host delivers again. */
  readonly id: string | undefined;
}

export interface Received {
  readonly reply: CodeHostReply;
  readonly evaluation: Evaluation | null;
}

/** Longer than a scan takes: a worker that has not finished by then is gone, and the host may deliver again. */
const LEASE_MS = 60_000;

/**
 * Scans texts that people wrote on a code host, as events of the project to which the repository is bound. Checks the
 * signature first: before that nothing in the body is trusted.
 */
export async function receiveDelivery(
  deps: ReceiveDeps,
  delivery: Delivery,
  requestId: string,
): Promise<Received> {
  requireSignature(delivery, deps.codeHostSecret);
  const { event, id } = delivery;
  if (!event || !id) {
    throw new CodedError('invalid_request', {
      message: 'A delivery requires the headers X-GitHub-Event and X-GitHub-Delivery.',
    });
  }
  if (event === 'ping') return finished('pong');
  const payload = parseStrictJson(delivery.bytes).value;
  const name = repositoryOf(payload);
  const bound = name === null ? null : await deps.storage.codeRepositories.find(name);
  if (bound === null) return finished('ignored', 'The repository is not bound to a project.');
  const principal = await principalOfProject(deps, bound.organizationId, bound.projectId, 'github');
  const slots = deliveryTexts(event, payload);
  rejectLongTexts(slots);
  if (principal === null || slots.length === 0)
    return finished('ignored', 'The delivery contains no new text.');
  if (!(await deps.storage.codeRepositories.begin(id, LEASE_MS))) return finished('duplicate');
  const evaluation = await evaluate(deps, principal, {
    recorded: { route: 'github/webhook', model: null, requestId },
    direction: 'input',
    texts: { conversation: conversationOf(slots), unread: [] },
    delivery: 'told',
  });
  await deps.storage.codeRepositories.finish(id);
  const { decision, eventId, threatType } = evaluation;
  return {
    evaluation,
    reply: { status: 'scanned', decision, event_id: eventId, threat_type: threatType },
  };
}

function requireSignature({ bytes, signature }: Delivery, secret: string | undefined): void {
  if (secret === undefined) {
    throw new CodedError('invalid_signature', {
      message: 'No secret is configured for this webhook. The operator must set GITHUB_WEBHOOK_SECRET.',
    });
  }
  const due = Buffer.from(`sha256=${createHmac('sha256', secret).update(bytes).digest('hex')}`);
  const given = Buffer.from(signature ?? '');
  if (given.length !== due.length || !timingSafeEqual(given, due)) throw new CodedError('invalid_signature');
}

function finished(status: CodeHostReply['status'], message?: string): Received {
  return { evaluation: null, reply: { status, ...(message === undefined ? {} : { message }) } };
}
