import type { ToolValidation, ValidateTool } from '@csg/shared/contract';
import { type DirectedFindings, listingsOf, type Verdict } from '@csg/shared/decision';
import { type ExtractedBody, readLeafTextsInSteps, type ToolCall, toToolCall } from '@csg/shared/providers';
import { canonicalJson, type Steps, type TextSlot } from '@csg/shared/text';
import type { Storage } from '../../storage/storage.ts';
import type { UncountedRequest } from '../admit-request.ts';
import type { Principal } from '../authenticate-key.ts';
import { type EvaluateDeps, type Evaluation, evaluate } from '../decision/evaluate.ts';
import type { CallsToEvaluate, ToolCallDeps } from '../decision/review-calls.ts';
import { rejectLongTexts } from '../decision/unscannable.ts';
import { assessCall, type CallAssessment, concernsOf } from './assess-call.ts';
import { type InnerAddress, innerAddressIn } from './inner-addresses.ts';
import { listingOf } from './tool-lists.ts';
import type { CallHistory } from './trace-tool-calls.ts';

export interface ValidateToolDeps extends EvaluateDeps, ToolCallDeps {
  readonly storage: EvaluateDeps['storage'] &
    ToolCallDeps['storage'] &
    Pick<Storage, 'agentCalls' | 'sessionTaints'>;
}

/** The origin of a call to validate. */
interface CallerOfTool {
  readonly route: string;
  /** True if the agent works on a person's computer and that person confirms its actions. */
  readonly isCodingAgent: boolean;
  /** The request to count for this call, if it was not counted yet. */
  readonly usage?: UncountedRequest | null;
  /** The conversation before the call, if it is known. */
  readonly history?: CallHistory | null;
}

const VALIDATE_ROUTE = 'agent/validate-tool';

const MINUTE_MS = 60_000;

/**
 * Decides whether an agent may make a tool call, from the project's lists, the content of the arguments, and the
 * history of the agent and its session. A denial is a normal response, not an error. Every decision is recorded as an
 * event. `source` is the request as JSON.
 */
export async function validateTool(
  deps: ValidateToolDeps,
  principal: Principal,
  request: ValidateTool,
  requestId: string,
  source?: () => string,
  caller: CallerOfTool = { route: VALIDATE_ROUTE, isCodingAgent: false },
): Promise<{ response: ToolValidation; evaluation: Evaluation }> {
  const { organizationId, projectId } = principal;
  const { agent_id: agentId, tool_name: toolName } = request;
  const sessionId = request.session_id ?? null;
  const { conversation, call, innerAddress } = await deps.pacedTurns.run(
    principal,
    readCall(request, source),
  );
  const { slots, unscanned } = conversation;
  const [history, taints] = await Promise.all([
    deps.storage.agentCalls.history(organizationId, agentId, toolName, deps.clock.now() - MINUTE_MS),
    sessionId === null ? [] : deps.storage.sessionTaints.list(organizationId, sessionId),
  ]);
  const agent = {
    ...{ toolName, taints, innerAddress },
    isCodeAssistant: caller.isCodingAgent || principal.ruleset.input.useCase === 'code_assistant',
  };
  const input = { ...callToEvaluate(deps, principal, request, caller, call), concerns: concernsOf(agent) };
  const evaluation = await evaluate(deps, principal, {
    recorded: { route: caller.route, model: null, requestId, usage: caller.usage ?? null },
    direction: 'output',
    texts: { conversation, unread: unscanned },
    // The agent calls the tool with these arguments or not at all.
    delivery: 'unchanged',
    scan: () => scanArguments(deps, principal, slots),
    calls: { deps, input },
  });
  const { verdict, eventId } = evaluation;
  const assessment = assessCall({
    ...{ ...agent, history, holds: verdict.holds ?? [] },
    ofTexts: evaluation.isUnscanned ? null : (verdict.ofTexts ?? verdict),
    incomparable:
      call.spelling === null && verdict.decision === 'block' ? (verdict.threats[0]?.details ?? null) : null,
  });
  const allowed = verdict.decision !== 'block';
  await deps.storage.agentCalls.insert(organizationId, {
    ...{ id: eventId, projectId, agentId, sessionId, toolName, isAllowed: allowed },
    ...{ riskScore: assessment.riskScore, anomalies: assessment.anomalies, atMs: deps.clock.now() },
  });
  return { evaluation, response: responseOf(assessment, verdict, eventId) };
}

interface ReadCall {
  readonly conversation: ExtractedBody;
  readonly call: ToolCall;
  readonly innerAddress: InnerAddress | null;
}

function* readCall(
  { tool_name, arguments: args }: ValidateTool,
  source: (() => string) | undefined,
): Steps<ReadCall> {
  const conversation = yield* readLeafTextsInSteps({ tool_name, arguments: args }, 'tool_call', source);
  rejectLongTexts(conversation.slots);
  yield;
  const call = yield* toToolCall('', null, tool_name, args);
  yield;
  return { conversation, call, innerAddress: yield* innerAddressOf(conversation.slots) };
}

/** Returns the worst that an argument's value reaches. */
function* innerAddressOf(slots: readonly TextSlot[]): Steps<InnerAddress | null> {
  let worst: InnerAddress | null = null;
  for (const { isKey, path, text } of slots) {
    const inner = isKey === true ? null : yield* innerAddressIn(text, argumentName(path));
    if (inner === 'metadata') return inner;
    worst ??= inner;
  }
  return worst;
}

/** Returns the name of the argument at a pointer, also if its value is a list. */
const argumentName = (path: string): string =>
  path.split('/').findLast((step) => !/^(?:\d*|~.*)$/.test(step)) ?? '';

function callToEvaluate(
  { clock }: Pick<ValidateToolDeps, 'clock'>,
  { projectId }: Principal,
  request: ValidateTool,
  { route, history = null }: CallerOfTool,
  call: ToolCall,
): Omit<CallsToEvaluate, 'concerns'> {
  const { agent_id: agentId, tool_name: tool } = request;
  // The default list applies only to this route: coding agents keep their shell.
  const defaults = route === VALIDATE_ROUTE ? undefined : [];
  return {
    ...{ calls: [call], subject: 'call', history, agentId, sessionId: request.session_id ?? null },
    listing: (lists) => ({
      of: (name) => listingOf(name, lists, request, defaults),
      first: listingsOf(lists).first,
    }),
    policyContext: { atMs: clock.now() },
    // An approval covers these arguments, whenever this agent sends them.
    identify: () => {
      const named = { project: projectId, agent: agentId, tool, arguments: request.arguments };
      const spelling = canonicalJson(named);
      return () => [spelling];
    },
  };
}

/** Scans the arguments as input to the tool (instructions) and as output (leaving data). */
function scanArguments(
  deps: Pick<ValidateToolDeps, 'scanner'>,
  principal: Principal,
  slots: readonly TextSlot[],
): Promise<readonly DirectedFindings[]> {
  return Promise.all(
    (['input', 'output'] as const).map(async (direction) => ({
      direction,
      findings: await deps.scanner.scan(principal, slots, principal.ruleset, direction),
    })),
  );
}

function responseOf(assessment: CallAssessment, verdict: Verdict, eventId: string): ToolValidation {
  const { review } = verdict;
  const isDenied = review?.isRequired === false;
  const isAllowed = verdict.decision !== 'block';
  return {
    allowed: isAllowed,
    risk_score: assessment.riskScore,
    risk_level: assessment.riskLevel,
    reason: isDenied ? 'A person denied this call.' : reasonFor(assessment, isAllowed),
    warnings: [...assessment.warnings],
    blocked_reasons: isDenied ? [denialOf(review?.deniedBecause ?? null)] : [...assessment.blockedReasons],
    review_required: review?.isRequired ?? false,
    review_id: review?.id ?? null,
    event_id: eventId,
  };
}

function denialOf(reason: string | null): string {
  return `A person denied this call${reason === null ? '.' : `: ${reason}`}`;
}

function reasonFor({ blockedReasons, reviewReason, warnings }: CallAssessment, isAllowed: boolean): string {
  if (!isAllowed) return blockedReasons[0] ?? `${reviewReason} The call is pending approval.`;
  if (reviewReason !== null) return 'A person approved this call.';
  return warnings.length === 0 ? 'No objection to this call was found.' : 'Allowed, with warnings.';
}
