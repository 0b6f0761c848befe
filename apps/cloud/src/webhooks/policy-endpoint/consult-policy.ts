import {
  type Direction,
  ownEndpointId,
  POLICY_VERDICT_EVENT,
  type PolicyVerdictRequest,
  type ThreatDetail,
} from '@csg/shared/contract';
import type { EndpointAnswer } from '@csg/shared/decision';
import type { Conversation } from '@csg/shared/text';
import type { PolicyEndpoint, Storage } from '../../storage/storage.ts';
import type { EndpointClient } from '../outbound/endpoint-client.ts';
import { askPolicy, type PolicyResponse } from './ask-policy.ts';
import type { Breaker } from './breaker.ts';
import type { CallCounter } from './call-counter.ts';
import { replacementsFor, shownContent } from './shown-content.ts';

export type PolicyOutcome = PolicyResponse['verdict'] | 'skipped';

export interface ConsultDeps {
  readonly storage: Pick<Storage, 'endpoints' | 'deliveries'>;
  readonly sender: Pick<EndpointClient, 'send'>;
  readonly calls: CallCounter;
  readonly breaker: Breaker;
  readonly clock: { now(): number; elapsed(): number };
  readonly log: { error(fields: object, message: string): void };
  readonly observePolicy: (outcome: PolicyOutcome, ms: number) => void;
}

export interface ProjectToConsult {
  readonly organizationId: string;
  readonly projectId: string | null;
  /** null: the project has no endpoint. */
  readonly policyWebhook: PolicyEndpoint | null;
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
  { organizationId, projectId, policyWebhook }: ProjectToConsult,
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
    const call = { organizationId, projectId, eventId, endpointId: policyWebhook.id };
    await noteCall(deps, call, response, deps.clock.elapsed() - startedMs);
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
  { storage, sender }: Pick<ConsultDeps, 'storage' | 'sender'>,
  projectId: string,
  { url, timeoutMs }: PolicyEndpoint,
  question: PolicyVerdictRequest,
): Promise<PolicyResponse> {
  try {
    const secrets = await storage.endpoints.signingSecrets(ownEndpointId('webhook', projectId));
    return await askPolicy(sender, {
      url,
      timeoutMs,
      secrets,
      body: JSON.stringify(question),
      isTest: false,
    });
  } catch (cause) {
    const name = cause instanceof Error ? cause.name : 'Error';
    return { verdict: 'error', error: `The request could not be signed or sent (${name}).` };
  }
}

/** Successful calls are only counted, failed ones recorded, without the content: the circuit bounds how many. */
async function noteCall(
  { storage, calls, clock, log }: ConsultDeps,
  call: {
    readonly organizationId: string;
    readonly projectId: string;
    readonly eventId: string;
    readonly endpointId: string;
  },
  response: PolicyResponse & { readonly status?: number | null },
  durationMs: number,
): Promise<void> {
  const { organizationId, ...about } = call;
  if (response.verdict !== 'error') return calls.note(call.endpointId);
  const payload = JSON.stringify({ event_id: call.eventId, content: '' });
  try {
    await calls.flush();
    await storage.deliveries.record(
      organizationId,
      { ...about, event: POLICY_VERDICT_EVENT, payload },
      {
        ...{
          status: 'failed',
          failures: 1,
          lastError: response.error,
          responseStatus: response.status ?? null,
        },
        ...{ dueAtMs: clock.now(), isAttempt: true, durationMs },
      },
    );
  } catch (err) {
    log.error({ err, project_id: call.projectId }, 'a failed call of a policy endpoint was not recorded');
  }
}
