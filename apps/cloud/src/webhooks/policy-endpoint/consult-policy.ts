import type { Direction, PolicyVerdictRequest, ThreatDetail } from '@csg/shared/contract';
import type { EndpointAnswer } from '@csg/shared/decision';
import type { Conversation } from '@csg/shared/text';
import type { PolicyWebhook, Storage } from '../../storage/storage.ts';
import type { Breaker } from './breaker.ts';
import type { PolicyResponse, PolicyWebhookClient } from './policy-webhook-client.ts';
import { replacementsFor, shownContent } from './shown-content.ts';

export type PolicyOutcome = PolicyResponse['verdict'] | 'skipped';

export interface ConsultDeps {
  readonly storage: Pick<Storage, 'webhooks'>;
  readonly policyWebhookClient: Pick<PolicyWebhookClient, 'evaluate'>;
  readonly breaker: Breaker;
  readonly clock: { elapsed(): number };
  readonly log: { error(fields: object, message: string): void };
  readonly observePolicy: (outcome: PolicyOutcome, ms: number) => void;
}

export interface ProjectToConsult {
  readonly projectId: string | null;
  /** null: the project has no endpoint. */
  readonly policyWebhook: PolicyWebhook | null;
}

export interface TextsToConsultOn {
  readonly conversation: Pick<Conversation, 'slots'>;
  readonly direction: Direction;
  readonly model: string | null;
  /** What was found so far. */
  readonly threats: readonly ThreatDetail[];
}

/** Calls the project's own endpoint. An unknown verdict counts as allow. */
export type ConsultPolicy = (
  project: ProjectToConsult,
  texts: TextsToConsultOn,
  eventId: string,
) => Promise<EndpointAnswer>;

export function createConsultPolicy(deps: ConsultDeps): ConsultPolicy {
  return (project, texts, eventId) => consult(deps, project, texts, eventId);
}

async function consult(
  deps: ConsultDeps,
  { projectId, policyWebhook }: ProjectToConsult,
  texts: TextsToConsultOn,
  eventId: string,
): Promise<EndpointAnswer> {
  if (policyWebhook === null || projectId === null) return { verdict: 'allow' };
  const content = shownContent(texts.conversation.slots);
  const shown = content.parts.map(({ slot, start, end }) => ({ slot, length: end - start }));
  const startedMs = deps.clock.elapsed();
  let response: PolicyResponse | { readonly verdict: 'skipped' } = { verdict: 'skipped' };
  // A new URL has its own circuit.
  const name = `${projectId} ${policyWebhook.url}`;
  if (deps.breaker.allowsRequest(name, startedMs)) {
    response = await callEndpoint(deps, projectId, policyWebhook, {
      content: content.content,
      direction: texts.direction,
      model: texts.model ?? '',
      event_id: eventId,
      threats_detected: texts.threats.map(({ type, confidence }) => ({ type, confidence })),
    });
    deps.breaker.note(name, response.verdict !== 'error', deps.clock.elapsed());
  }
  deps.observePolicy(response.verdict, deps.clock.elapsed() - startedMs);
  switch (response.verdict) {
    case 'allow':
    case 'invalid':
      return { verdict: 'allow' };
    case 'block':
      return { verdict: 'block', reason: response.reason, shown };
    case 'redact': {
      const replacements = replacementsFor(content, response.redactedContent);
      return { verdict: 'redact', reason: response.reason, shown, replacements };
    }
    case 'error':
      deps.log.error({ project_id: projectId, fault: response.error }, 'the policy endpoint gave no verdict');
      return { verdict: 'none', shown };
    case 'skipped':
      return { verdict: 'none', shown };
  }
}

/** A request that cannot be signed counts as one without a response: it must never lose the engine's findings. */
async function callEndpoint(
  { storage, policyWebhookClient }: Pick<ConsultDeps, 'storage' | 'policyWebhookClient'>,
  projectId: string,
  { url, timeoutMs }: PolicyWebhook,
  question: PolicyVerdictRequest,
): Promise<PolicyResponse> {
  try {
    const secrets = await storage.webhooks.signingSecrets(projectId);
    return await policyWebhookClient.evaluate({ url, timeoutMs, secrets }, question);
  } catch (cause) {
    const name = cause instanceof Error ? cause.name : 'Error';
    return { verdict: 'error', error: `The request could not be signed or sent (${name}).` };
  }
}
