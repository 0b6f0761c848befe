import {
  type Decision,
  type Direction,
  type PolicyVerdictRequest,
  STRICTNESS,
  type ThreatDetail,
} from '@csg/shared/contract';
import type { Finding, Verdict } from '@csg/shared/detection';
import { type Conversation, type Replacement, withoutOverlaps } from '@csg/shared/text';
import type { PolicyWebhook, Storage } from '../../storage/storage.ts';
import type { Breaker } from './breaker.ts';
import type { PolicyResponse, PolicyWebhookClient } from './policy-webhook-client.ts';
import { replacementsFor, type ShownContent, shownContent } from './shown-content.ts';

export type PolicyOutcome = PolicyResponse['verdict'] | 'skipped';

export interface ConsultDeps {
  readonly storage: Pick<Storage, 'webhooks'>;
  readonly policyWebhookClient: Pick<PolicyWebhookClient, 'evaluate'>;
  readonly breaker: Breaker;
  readonly clock: { elapsed(): number };
  readonly log: { error(fields: object, message: string): void };
  readonly observePolicy: (outcome: PolicyOutcome, ms: number) => void;
}

const RULE = 'policy_webhook';

export interface ProjectToConsult {
  readonly projectId: string | null;
  /** null: the project has no endpoint. */
  readonly policyWebhook: PolicyWebhook | null;
}

export interface TextsToConsultOn {
  readonly conversation: Pick<Conversation, 'slots'>;
  readonly direction: Direction;
  readonly model: string | null;
}

export type ConsultPolicy = <V extends Verdict>(
  project: ProjectToConsult,
  texts: TextsToConsultOn,
  eventId: string,
  verdict: V,
) => Promise<V>;

export function createConsultPolicy(deps: ConsultDeps): ConsultPolicy {
  return (project, texts, eventId, verdict) => consult(deps, project, texts, eventId, verdict);
}

/**
 * Calls the project's own endpoint in every scan, whatever the engine decided: the stricter of the two verdicts
 * applies. Without a response the endpoint's fail mode decides; an unknown verdict counts as allow.
 */
async function consult<V extends Verdict>(
  deps: ConsultDeps,
  { projectId, policyWebhook }: ProjectToConsult,
  texts: TextsToConsultOn,
  eventId: string,
  verdict: V,
): Promise<V> {
  if (policyWebhook === null || projectId === null) return verdict;
  const shown = shownContent(texts.conversation.slots);
  const startedMs = deps.clock.elapsed();
  let response: PolicyResponse | { readonly verdict: 'skipped' } = { verdict: 'skipped' };
  // A new URL has its own circuit.
  const name = `${projectId} ${policyWebhook.url}`;
  if (deps.breaker.allowsRequest(name, startedMs)) {
    response = await callEndpoint(deps, projectId, policyWebhook, {
      content: shown.content,
      direction: texts.direction,
      model: texts.model ?? '',
      event_id: eventId,
      threats_detected: verdict.threats.map(({ type, confidence }) => ({ type, confidence })),
    });
    deps.breaker.note(name, response.verdict !== 'error', deps.clock.elapsed());
  }
  deps.observePolicy(response.verdict, deps.clock.elapsed() - startedMs);
  switch (response.verdict) {
    case 'allow':
    case 'invalid':
      return verdict;
    case 'block':
      return blocked(verdict, shown, response.reason ?? "Blocked by the project's policy endpoint.");
    case 'redact':
      return redacted(verdict, shown, response.redactedContent, response.reason);
    case 'error':
      deps.log.error({ project_id: projectId, fault: response.error }, 'the policy endpoint gave no verdict');
      break;
    case 'skipped':
      break;
  }
  return policyWebhook.failMode === 'open' || verdict.decision === 'block'
    ? verdict
    : blocked(verdict, shown, "The project's policy endpoint did not respond, and its fail mode is closed.");
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

function redacted<V extends Verdict>(
  verdict: V,
  shown: ShownContent,
  redactedContent: string,
  reason: string | null,
): V {
  const replacements = replacementsFor(shown, redactedContent);
  if (replacements === null) {
    return blocked(
      verdict,
      shown,
      "The redaction of the project's policy endpoint does not match the texts that were sent.",
    );
  }
  if (replacements.size === 0) return verdict;
  const merged = new Map<number, readonly Replacement[]>(verdict.replacements);
  const findings: Finding[] = [];
  const details = reason ?? "Redacted by the project's policy endpoint.";
  for (const [slot, list] of replacements) {
    merged.set(slot, withoutOverlaps([...list, ...(merged.get(slot) ?? [])]));
    for (const { start, end } of list) findings.push(findingAt(slot, start, end, details));
  }
  return joined(verdict, 'redact', findings, details, merged);
}

function blocked<V extends Verdict>(verdict: V, shown: ShownContent, details: string): V {
  const findings = shown.parts.map(({ slot, start, end }) => findingAt(slot, 0, end - start, details));
  return joined(verdict, 'block', findings, details, new Map());
}

function joined<V extends Verdict>(
  verdict: V,
  decision: Decision,
  findings: readonly Finding[],
  details: string,
  replacements: Verdict['replacements'],
): V {
  const isStricter = STRICTNESS[decision] > STRICTNESS[verdict.decision];
  const threat: ThreatDetail = { type: 'custom_policy', confidence: 1, details };
  return {
    ...verdict,
    decision: isStricter ? decision : verdict.decision,
    ...(isStricter && {
      confidence: 1,
      threatType: 'custom_policy' as const,
      decidedBy: { kind: 'policy_webhook' as const, id: RULE },
    }),
    // The deciding threat comes first, because clients see its reason.
    threats: isStricter ? [threat, ...verdict.threats] : [...verdict.threats, threat],
    findings: [...verdict.findings, ...findings],
    replacements: verdict.decision === 'block' ? new Map() : replacements,
  };
}

function findingAt(slot: number, start: number, end: number, reason: string): Finding {
  return { slot, start, end, type: 'custom_policy', rule: RULE, confidence: 1, reason };
}
