import { atOnce, finish, type Steps } from '../text/index.ts';
import type { Answers, Facts, Question } from './facts.ts';
import { allowedTexts } from './steps/allowed-texts.ts';
import { exceptions } from './steps/exceptions.ts';
import { policyEndpoint } from './steps/policy-endpoint.ts';
import { presetAndPolicy } from './steps/preset-and-policy.ts';
import { refusedPlace } from './steps/refused-place.ts';
import { service } from './steps/service.ts';
import { signedContent } from './steps/signed-content.ts';
import { toolCalls } from './steps/tool-calls.ts';
import { unreadParts } from './steps/unread-parts.ts';
import { unscannable } from './steps/unscannable.ts';
import { unwritable } from './steps/unwritable.ts';
import { EMPTY_VERDICT, type Verdict } from './verdict.ts';

/** Makes the verdict stricter or milder, and says by what; or asks for what it has to know. Pure. */
export type Step = (verdict: Verdict, facts: Facts) => Outcome | Steps<Outcome>;
type Outcome = Verdict | Question;

/** Findings that are judged at once. */
const FEW = 256;

/**
 * The order of every decision. A step that a route has no input for changes nothing; none is skipped because another
 * one failed. The findings include those of a second opinion.
 */
export const STEPS: readonly Step[] = [
  unscannable,
  presetAndPolicy,
  signedContent,
  allowedTexts,
  exceptions,
  refusedPlace,
  service,
  unreadParts,
  policyEndpoint,
  unwritable,
  toolCalls,
];

const BY_FAIL_MODE = { kind: 'setting', id: 'fail_mode' } as const;

/** Asks, and resolves with the answer. */
export type AskFor = (question: Question) => Promise<Answers>;

/** Takes a decision. If the engine could not run, `closed` blocks at once; with `open` the other steps decide. */
export async function decide(facts: Facts, ask: AskFor, steps = STEPS, pace = atOnce): Promise<Verdict> {
  let verdict = startOf(facts);
  if (verdict.decision === 'block') return verdict;
  let known = facts;
  const isLong = facts.scan.kind === 'read' && facts.scan.found.some(({ findings }) => findings.length > FEW);
  for (const step of steps) {
    for (;;) {
      const made = step(verdict, known);
      const outcome = isLong && 'next' in made ? await pace(made) : finished(made);
      if (!('ask' in outcome)) {
        verdict = outcome;
        break;
      }
      known = { ...known, answers: { ...known.answers, ...(await ask(outcome)) } };
    }
  }
  return verdict;
}

const finished = (outcome: Outcome | Steps<Outcome>): Outcome =>
  'next' in outcome ? finish(outcome) : outcome;

/** Takes a decision at once. A question without an answer among the facts has the answer that changes nothing. */
export function decideNow(facts: Facts, steps = STEPS): Verdict {
  let verdict = startOf(facts);
  if (verdict.decision === 'block') return verdict;
  const known = { ...facts, answers: { ...NO_ANSWERS, ...facts.answers } };
  for (const step of steps) {
    const next = finished(step(verdict, known));
    if ('ask' in next) throw new Error(`The question ${next.ask} has no answer.`);
    verdict = next;
  }
  return verdict;
}

function startOf({ scan }: Facts): Verdict {
  if (scan.kind !== 'failed') return EMPTY_VERDICT;
  const decision = scan.failMode === 'closed' ? 'block' : 'allow';
  return { ...EMPTY_VERDICT, decision, decidedBy: BY_FAIL_MODE };
}

export const NO_ANSWERS = {
  isAnswered: () => false,
  allowedTexts: () => undefined,
  exceptions: { coverOf: () => undefined },
  endpoint: { verdict: 'allow' },
  toolLists: { of: () => 'free', first: null },
  traces: { flows: [], policyFlows: [] },
  review: null,
} as const satisfies Required<Omit<Answers, 'service'>>;
