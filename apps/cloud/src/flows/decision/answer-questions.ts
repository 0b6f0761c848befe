import type { Answers, AskFor, Question, Texts, Verdict } from '@csg/shared/decision';
import { NO_ANSWERS } from '@csg/shared/decision';
import type { TaintedText } from '@csg/shared/flow-control';
import type { PacedTurns } from '../../fairness/paced-turns.ts';
import type { ConsultPolicy } from '../../webhooks/policy-endpoint/consult-policy.ts';
import type { Principal } from '../authenticate-key.ts';
import type { TextKeyOf } from './allowed-texts.ts';
import { type AllowedTextDeps, findAllowedTexts, textKeys } from './allowed-texts.ts';
import { type ExceptionDeps, type ExceptionsFound, findExceptions } from './find-exceptions.ts';
import { type CallsToEvaluate, readListings, reviewCalls, traceCallsOf } from './review-calls.ts';
import { findSigned, type SignedDeps } from './signed-blocks.ts';
import type { Subject } from './subject.ts';

export interface AnswerDeps extends AllowedTextDeps, ExceptionDeps, SignedDeps {
  readonly storage: AllowedTextDeps['storage'] & ExceptionDeps['storage'] & SignedDeps['storage'];
  readonly consultPolicy: ConsultPolicy;
  readonly pacedTurns: PacedTurns;
}

export interface Answering {
  readonly ask: AskFor;
  readonly textKeyOf: TextKeyOf;
  /** Stores what exceptions let pass, so that it stays allowed in its conversation. */
  keepExcepted(verdict: Verdict): Promise<void>;
}

/** Answers the questions of a decision from storage and the project's own endpoint. */
export function answerQuestions(
  deps: AnswerDeps,
  principal: Principal,
  subject: Subject,
  eventId: string,
): Answering {
  const textKeyOf = textKeys(deps, principal, subject.texts.conversation.slots);
  let exceptions: ExceptionsFound | null = null;
  return {
    textKeyOf,
    async ask(question) {
      if (question.ask !== 'exceptions')
        return answer(deps, principal, subject, { question, textKeyOf, eventId });
      exceptions = await findExceptions(deps, principal, subject, question.findings);
      return { exceptions };
    },
    keepExcepted: async ({ excepted = [] }) => await exceptions?.keep(excepted),
  };
}

interface Asked {
  readonly question: Exclude<Question, { ask: 'exceptions' }>;
  readonly textKeyOf: TextKeyOf;
  readonly eventId: string;
}

async function answer(
  deps: AnswerDeps,
  principal: Principal,
  { texts, direction, recorded, calls }: Subject,
  { question, textKeyOf, eventId }: Asked,
): Promise<Answers> {
  switch (question.ask) {
    case 'isAnswered':
      return { isAnswered: await findSigned(deps, principal, question.blocks) };
    case 'allowedTexts':
      return {
        allowedTexts: await findAllowedTexts(deps, principal, question.findings, textKeyOf, (work) =>
          deps.pacedTurns.run(principal, work),
        ),
      };
    case 'endpoint': {
      const { model } = recorded;
      const shown = { conversation: texts.conversation, direction, model, threats: question.threats };
      return { endpoint: await deps.consultPolicy(principal, shown, eventId) };
    }
    case 'toolLists':
      return {
        toolLists: calls ? await readListings(calls.deps, principal, calls.input) : NO_ANSWERS.toolLists,
      };
    case 'traces':
      return {
        traces: calls
          ? await traceCallsOf(calls.deps, principal, withTaint(calls.input, texts, question.tainted))
          : NO_ANSWERS.traces,
      };
    case 'review':
      return {
        review: calls ? await reviewCalls(calls.deps, principal, calls.input, question.holds, eventId) : null,
      };
  }
}

/** The calls of a guard request come with their conversation, whose passages this decision has found. */
function withTaint(
  input: CallsToEvaluate,
  { conversation }: Texts,
  tainted: readonly TaintedText[],
): CallsToEvaluate {
  const { history } = input;
  return history?.conversation === conversation ? { ...input, history: { ...history, tainted } } : input;
}
