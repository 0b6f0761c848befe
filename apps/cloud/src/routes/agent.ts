import {
  type AgentStats,
  agentStatsSchema,
  type ErrorCode,
  hookReplySchema,
  hookRequestSchema,
  type ToolValidation,
  toolValidationSchema,
  type ValidateTool,
  validateToolSchema,
} from '@csg/shared/contract';
import type { HookReply } from '@csg/shared/providers';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { answerHook } from '../flows/agent/answer-hook.ts';
import { type ValidateToolDeps, validateTool } from '../flows/agent/validate-tool.ts';
import { principalOf } from '../plugins/auth.ts';
import { sourceOf } from '../plugins/json-body.ts';
import { needsScope } from '../plugins/route-access.ts';
import { documented } from './documented.ts';

const CODES: readonly ErrorCode[] = ['missing_api_key', 'invalid_api_key'];

export function registerAgent(app: FastifyInstance, deps: ValidateToolDeps): void {
  const config = needsScope('agent');
  app.post<{ Body: ValidateTool; Reply: ToolValidation }>(
    '/agent/validate-tool',
    {
      config,
      schema: documented({
        tag: 'Agents',
        id: 'validateToolCall',
        summary: 'Validate a tool call before it runs',
        description:
          "Compares a tool call with the project's lists, scans its arguments, and considers earlier actions of the agent and its session. A rejected call is a 200 with `allowed: false`.",
        body: validateToolSchema,
        response: toolValidationSchema,
        codes: [...CODES, 'rate_limit_exceeded', 'detection_unavailable'],
      }),
    },
    async (request) => {
      const done = await validateTool(
        deps,
        principalOf(request),
        request.body,
        request.id,
        sourceOf(request),
      );
      request.verdict = done.evaluation;
      return done.response;
    },
  );

  app.post<{ Body: Record<string, unknown>; Reply: HookReply }>(
    '/agent/hooks',
    {
      config: needsScope('agent', { device: true }),
      schema: documented({
        tag: 'Agents',
        id: 'answerHook',
        summary: 'Respond to a hook of a coding agent',
        description:
          'Accepts the hook events of Claude Code, Codex, Gemini CLI and Cursor before and after a tool call and on a prompt. Responds in the format of that agent: deny, ask, or an empty object if there is no objection or nothing to evaluate.',
        body: hookRequestSchema,
        response: hookReplySchema,
        codes: [...CODES, 'rate_limit_exceeded'],
      }),
    },
    async (request) => {
      const { reply, evaluation } = await answerHook(deps, principalOf(request), request.body, request.id);
      if (evaluation !== null) request.verdict = evaluation;
      return reply;
    },
  );

  app.get<{ Params: { agent_id: string }; Reply: AgentStats }>(
    '/agent/:agent_id/stats',
    {
      config,
      schema: documented({
        tag: 'Agents',
        id: 'getAgentStats',
        summary: 'Get the statistics of an agent',
        description: 'Covers the calls of the last 90 days. An unknown agent has zeros.',
        params: Type.Object({ agent_id: Type.String() }),
        response: agentStatsSchema,
        codes: CODES,
      }),
    },
    async (request) => {
      const { agent_id: agentId } = request.params;
      const { organizationId } = principalOf(request);
      const totals = await deps.storage.agentCalls.totals(organizationId, agentId);
      return {
        agent_id: agentId,
        total_tool_calls: totals.calls,
        blocked_calls: totals.blocked,
        avg_risk_score: Math.round(totals.meanRisk * 10_000) / 10_000,
        anomalies_detected: totals.anomalies,
        active_sessions: 0,
      };
    },
  );
}
