import { CodedError } from '@csg/shared/contract';
import { type Hook, type HookReply, readHook, readLeafTextsInSteps } from '@csg/shared/providers';
import type { Principal } from '../authenticate-key.ts';
import { type Evaluation, evaluate } from '../decision/evaluate.ts';
import { noteTaint } from './note-taint.ts';
import { type ValidateToolDeps, validateTool } from './validate-tool.ts';

const ROUTE = 'agent/hooks';

export interface AnsweredHook {
  readonly reply: HookReply;
  /** Null if there was nothing to evaluate. */
  readonly evaluation: Pick<Evaluation, 'eventId' | 'decision' | 'confidence' | 'threatType'> | null;
}

/**
 * Answers a hook of a coding agent in the agent's own format: deny, ask, or an empty reply. Never with `allow`, which
 * would skip the agent's own confirmation. Content that could not be scanned is denied, because agents continue after
 * an error.
 */
export async function answerHook(
  deps: ValidateToolDeps,
  principal: Principal,
  body: Readonly<Record<string, unknown>>,
  requestId: string,
): Promise<AnsweredHook> {
  const hook = readHook(body);
  if (hook === null) return { reply: {}, evaluation: null };
  try {
    return hook.kind === 'call'
      ? await answerCall(deps, principal, hook, requestId)
      : await answerTexts(deps, principal, hook, requestId);
  } catch (error) {
    if (!(error instanceof CodedError) || !UNSCANNED.has(error.code)) throw error;
    return { reply: hook.deny(error.message), evaluation: deniedBy(error) };
  }
}

/** What is recorded about content that could not be scanned; null: nothing is. */
function deniedBy({ fields }: CodedError): AnsweredHook['evaluation'] {
  const { event_id: eventId } = fields ?? {};
  return typeof eventId === 'string' ? { eventId, decision: 'block', confidence: 0, threatType: null } : null;
}

const UNSCANNED: ReadonlySet<string> = new Set(['detection_unavailable', 'payload_too_large']);

async function answerCall(
  deps: ValidateToolDeps,
  principal: Principal,
  { agent, sessionId, toolName, content, deny, ask }: Hook,
  requestId: string,
): Promise<AnsweredHook> {
  const request = {
    ...{ agent_id: agent, tool_name: toolName, arguments: content },
    session_id: sessionId,
  };
  const { response, evaluation } = await validateTool(deps, principal, request, requestId, undefined, {
    route: ROUTE,
    isCodingAgent: true,
  });
  if (response.allowed) return { reply: {}, evaluation };
  const reason = reasonOf(response.reason, response.blocked_reasons, evaluation);
  return { reply: response.review_required ? ask(reason) : deny(reason), evaluation };
}

async function answerTexts(
  deps: ValidateToolDeps,
  principal: Principal,
  { kind, sessionId, content, deny }: Hook,
  requestId: string,
): Promise<AnsweredHook> {
  const reading = readLeafTextsInSteps(content, kind === 'prompt' ? 'user' : 'tool_result');
  const conversation = await deps.pacedTurns.run(principal, reading);
  const evaluation = await evaluate(deps, principal, {
    recorded: { route: ROUTE, model: null, requestId },
    direction: 'input',
    texts: { conversation, unread: conversation.unscanned },
    // A hook cannot mask: a prompt with personal data is denied; of a result, which was read already, it is told.
    delivery: kind === 'prompt' ? 'whole' : 'told',
  });
  const { verdict } = evaluation;
  // Coding agents constantly read text that others wrote: the session is tainted only if something was found in it.
  if (evaluation.decision !== 'allow')
    await noteTaint(deps, principal, sessionId, 'guard', conversation.slots, verdict.findings);
  if (evaluation.decision !== 'block') return { reply: {}, evaluation };
  const details = verdict.threats.map((threat) => threat.details);
  const subject = kind === 'prompt' ? 'This prompt' : 'What the tool returned';
  const sentence = `${subject} was blocked by the content security policy.`;
  return { reply: deny(reasonOf(sentence, details, evaluation)), evaluation };
}

function reasonOf(sentence: string, details: readonly string[], { eventId }: Evaluation): string {
  const more = details.filter((detail) => !sentence.includes(detail));
  return [sentence, ...new Set(more), `Event: ${eventId}`].join(' ');
}
