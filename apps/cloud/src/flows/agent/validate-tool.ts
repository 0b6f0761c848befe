import { STRICTNESS, type ToolValidation, type ValidateTool } from '@csg/shared/contract';
import { decide, resolveRuleset, type Verdict } from '@csg/shared/detection';
import { readLeafTexts } from '@csg/shared/providers';
import { canonicalJson, hasExactNumbers, type TextSlot } from '@csg/shared/text';
import type { Storage } from '../../storage/storage.ts';
import type { UncountedRequest } from '../admit-request.ts';
import type { ExceptedVerdict } from '../approvals/apply-exceptions.ts';
import type { Principal } from '../authenticate-key.ts';
import { blockUnscanned } from '../block-unscanned.ts';
import { type EvaluateDeps, type Evaluation, evaluateWith } from '../evaluate-texts.ts';
import { rejectLongTexts, unscannableVerdict } from '../unscannable.ts';
import { assessCall, type CallAssessment, type CallFacts } from './assess-call.ts';
import { namesInnerAddress } from './inner-addresses.ts';
import { LIST_NAMES, listingOf } from './tool-lists.ts';
import { type ReviewDeps, requestReview } from './tool-reviews.ts';
import { BY_FLOW_CONTROL, describeFlow } from './trace-tool-calls.ts';

export interface ValidateToolDeps extends EvaluateDeps, ReviewDeps {
  readonly storage: EvaluateDeps['storage'] &
    ReviewDeps['storage'] &
    Pick<Storage, 'toolLists' | 'agentCalls' | 'sessionTaints'>;
}

/** The origin of a call to validate. */
interface CallerOfTool {
  readonly route: string;
  /** True if the agent works on a person's computer and that person confirms its actions. */
  readonly isCodingAgent: boolean;
  /** The request to count for this call, if it was not counted yet. */
  readonly usage?: UncountedRequest | null;
  /** Sources of the argument values and matching policies, if the conversation is known. */
  readonly traced?: Pick<ExceptedVerdict, 'flows' | 'policyFlows'>;
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
  const { route, isCodingAgent, usage = null, traced = {} } = caller;
  const { agent_id: agentId, tool_name: toolName } = request;
  const sessionId = request.session_id ?? null;
  const given = request.arguments;
  const call = canonicalJson({ project: projectId, agent: agentId, tool: toolName, arguments: given });
  const isComparable = hasExactNumbers(given);
  const conversation = readLeafTexts({ tool_name: toolName, arguments: given }, 'tool_call', source);
  const { slots, unscanned } = conversation;
  rejectLongTexts(slots);

  const [lists, history, taints, review] = await Promise.all([
    projectId === null ? null : deps.storage.toolLists.get(organizationId, projectId),
    deps.storage.agentCalls.history(organizationId, agentId, toolName, deps.clock.now() - MINUTE_MS),
    sessionId === null ? [] : deps.storage.sessionTaints.list(organizationId, sessionId),
    isComparable ? deps.storage.toolReviews.findOpen(organizationId, [call]) : null,
  ]);
  const facts = {
    ...{ toolName, history, taints, isComparable },
    // The default list applies only to this route: coding agents keep their shell.
    listing: listingOf(toolName, lists, request, route === VALIDATE_ROUTE ? undefined : []),
    flow: flowOf(principal, traced),
    namesInnerAddress: slots.some(({ isKey, text }) => isKey !== true && namesInnerAddress(text)),
    isCodeAssistant: isCodingAgent || principal.ruleset.input.useCase === 'code_assistant',
  };
  // Consumed before use: an approval allows one call, even if several requests race for it.
  const isApproved =
    review?.status === 'approved' && (await deps.storage.toolReviews.use(organizationId, review.id));

  const assess = (verdict: Verdict | null) => assessCall({ ...facts, verdict });
  let assessment = assess(null);
  const isAllowed = (): boolean =>
    assessment.blockedReasons.length === 0 && (assessment.reviewReason === null || isApproved);
  const texts = {
    conversation,
    unscanned,
    direction: 'output' as const,
    ...{ route, model: null, requestId, usage },
  };
  const evaluation = await evaluateWith(
    deps,
    principal,
    texts,
    { failMode: principal.failMode },
    async (eventId) => {
      const found = await evaluateArguments(deps, principal, slots);
      const evaluated = await blockUnscanned(deps, principal, texts, found);
      const verdict =
        principal.policyWebhook === null
          ? evaluated
          : await deps.consultPolicy(principal, texts, eventId, evaluated);
      assessment = assess(verdict);
      const decided = isAllowed()
        ? { ...verdict, decision: 'allow' as const }
        : blockedVerdict(verdict, assessment, facts);
      return { ...decided, ...traced };
    },
  );
  const allowed = isAllowed();
  const needsReview = !allowed && assessment.blockedReasons.length === 0;
  const pendingReview = needsReview
    ? await requestReview(deps, principal, {
        open: review?.status === 'approved' ? null : review,
        agentId,
        sessionId,
        toolName,
        ...{ call, spellings: [call], arguments: given, eventId: evaluation.eventId },
        reason: assessment.reviewReason ?? '',
      })
    : null;
  const { riskScore, anomalies } = assessment;
  await deps.storage.agentCalls.insert(organizationId, {
    ...{ id: evaluation.eventId, projectId, agentId, sessionId, toolName, isAllowed: allowed },
    ...{ riskScore, anomalies, atMs: deps.clock.now() },
  });

  const denied = pendingReview?.status === 'denied';
  const blockedReasons = denied ? [denialOf(pendingReview.decisionReason)] : assessment.blockedReasons;
  return {
    evaluation,
    response: {
      allowed,
      risk_score: riskScore,
      risk_level: assessment.riskLevel,
      reason: reasonFor(assessment, allowed, isApproved, denied),
      warnings: [...assessment.warnings],
      blocked_reasons: [...blockedReasons],
      review_required: needsReview && !denied,
      review_id: pendingReview?.id ?? null,
      event_id: evaluation.eventId,
    },
  };
}

const STRICTNESS_OF = { monitor: 0, review: 1, block: 2 } as const;

/** Returns the strictest action of flow control and policies. */
function flowOf(
  { settings }: Principal,
  { flows: [flow] = [], policyFlows = [] }: Pick<ExceptedVerdict, 'flows' | 'policyFlows'>,
): CallFacts['flow'] {
  const { flow_control: action } = settings;
  const ofPolicies = policyFlows.map(({ handling, reason, policyId }) => ({
    ...{ action: handling === 'report' ? ('monitor' as const) : handling, reason },
    threatType: 'custom_policy' as const,
    decidedBy: { kind: 'policy' as const, id: policyId },
  }));
  const traced =
    flow === undefined || action === 'off'
      ? []
      : [{ action, reason: describeFlow(flow), threatType: flow.threatType, decidedBy: BY_FLOW_CONTROL }];
  const all: NonNullable<CallFacts['flow']>[] = [...ofPolicies, ...traced];
  return all.toSorted((a, b) => STRICTNESS_OF[b.action] - STRICTNESS_OF[a.action])[0] ?? null;
}

function denialOf(reason: string | null): string {
  return `A person denied this call${reason === null ? '.' : `: ${reason}`}`;
}

/** Scans the arguments as input to the tool (instructions) and as output (leaving data); the stricter verdict wins. */
async function evaluateArguments(
  deps: Pick<ValidateToolDeps, 'scanner' | 'clock'>,
  principal: Principal,
  slots: readonly TextSlot[],
): Promise<Verdict> {
  const { ruleset } = principal;
  const resolved = resolveRuleset(ruleset.compiled, { atMs: deps.clock.now() });
  const [brought, leaving] = await Promise.all(
    (['input', 'output'] as const).map((direction) =>
      deps.scanner
        .scan(principal, slots, ruleset, direction)
        .then((findings) => decide(findings, resolved, direction), unscannableVerdict),
    ),
  );
  return STRICTNESS[brought!.decision] >= STRICTNESS[leaving!.decision] ? brought! : leaving!;
}

/** The verdict names the threat found in the arguments, or else the call itself. */
function blockedVerdict(
  verdict: Verdict,
  { blockedReasons, reviewReason, riskScore }: CallAssessment,
  { listing, flow }: Pick<CallFacts, 'listing' | 'flow'>,
): ExceptedVerdict {
  if (verdict.decision === 'block') return verdict;
  const details = blockedReasons[0] ?? reviewReason ?? '';
  const isOfFlow = flow !== null && details === flow.reason;
  const listed = listing === 'free' ? undefined : { kind: 'setting' as const, id: LIST_NAMES[listing] };
  const decidedBy = isOfFlow ? flow.decidedBy : listed;
  const threatType = isOfFlow ? flow.threatType : 'unsafe_tool_call';
  return {
    ...verdict,
    ...(decidedBy !== undefined && { decidedBy }),
    decision: 'block',
    confidence: riskScore,
    threatType,
    threats: [{ type: threatType, confidence: riskScore, details }, ...verdict.threats],
  };
}

function reasonFor(
  { blockedReasons, reviewReason, warnings }: CallAssessment,
  allowed: boolean,
  isApproved: boolean,
  denied: boolean,
): string {
  if (denied) return 'A person denied this call.';
  if (!allowed) return blockedReasons[0] ?? `${reviewReason} The call is pending approval.`;
  if (isApproved) return 'A person approved this call.';
  return warnings.length === 0 ? 'No objection to this call was found.' : 'Allowed, with warnings.';
}
