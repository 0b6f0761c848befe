import type { Finding } from '../../detection/index.ts';
import { type Replacement, withoutOverlaps } from '../../text/index.ts';
import type { EndpointAnswer, Facts, Question } from '../facts.ts';
import { tighten, type Verdict } from '../verdict.ts';

const TYPE = 'custom_policy';
const RULE = 'policy_webhook';
const BY = { kind: 'policy_webhook', id: RULE } as const;

/**
 * The project's own endpoint takes part in every decision, whatever was decided before: the stricter of the two verdicts
 * applies. Without an answer its fail mode decides.
 */
export function policyEndpoint(verdict: Verdict, { rules, answers }: Facts): Verdict | Question {
  if (rules.endpoint === undefined) return verdict;
  const answer = answers.endpoint;
  if (answer === undefined) return { ask: 'endpoint', threats: verdict.threats };
  switch (answer.verdict) {
    case 'allow':
      return verdict;
    case 'block':
      return blocked(verdict, answer, answer.reason ?? "Blocked by the project's policy endpoint.");
    case 'redact':
      return redacted(verdict, answer);
    case 'none': {
      if (rules.endpoint === 'open' || verdict.decision === 'block') return verdict;
      const reason = "The project's policy endpoint did not respond, and its fail mode is closed.";
      return blocked(verdict, answer, reason);
    }
  }
}

type Shown = Pick<Exclude<EndpointAnswer, { verdict: 'allow' }>, 'shown'>;

function blocked(verdict: Verdict, { shown }: Shown, reason: string): Verdict {
  const findings = shown.map(({ slot, length }) => findingAt(slot, 0, length, reason));
  return tighten(verdict, { decision: 'block', type: TYPE, reason, by: BY, findings });
}

function redacted(verdict: Verdict, answer: Extract<EndpointAnswer, { verdict: 'redact' }>): Verdict {
  const { replacements } = answer;
  if (replacements === null) {
    const reason = "The redaction of the project's policy endpoint does not match the texts that were sent.";
    return blocked(verdict, answer, reason);
  }
  if (replacements.size === 0) return verdict;
  const merged = new Map<number, readonly Replacement[]>(verdict.replacements);
  const findings: Finding[] = [];
  const reason = answer.reason ?? "Redacted by the project's policy endpoint.";
  for (const [slot, list] of replacements) {
    merged.set(slot, withoutOverlaps([...list, ...(merged.get(slot) ?? [])]));
    for (const { start, end } of list) findings.push(findingAt(slot, start, end, reason));
  }
  return tighten(verdict, { decision: 'redact', type: TYPE, reason, by: BY, findings, replacements: merged });
}

function findingAt(slot: number, start: number, end: number, reason: string): Finding {
  return { slot, start, end, type: TYPE, rule: RULE, confidence: 1, reason };
}
