import { STEPS, type Step, tighten } from '@csg/shared/decision';
import { readLeafTextsInSteps } from '@csg/shared/providers';
import { canonicalJsonInSteps } from '@csg/shared/text';
import type { McpTool, Storage } from '../../storage/storage.ts';
import { type EvaluateDeps, type Evaluation, evaluate } from '../decision/evaluate.ts';
import type { McpExchange } from './mcp-exchange.ts';
import { isClosedWorld } from './tool-definition.ts';

export interface PinToolsDeps extends EvaluateDeps {
  readonly storage: EvaluateDeps['storage'] & Pick<Storage, 'mcpTools' | 'transaction'>;
}

/** Limits per server: tools beyond them are not shown. */
const MAX_TOOLS = 1_000;
const MAX_NAME = 256;
const MAX_DEFINITION = 200_000;

type Tool = Readonly<Record<string, unknown>> & { readonly name: string };

export interface ShownTools {
  readonly tools: readonly unknown[];
  /** True if the tools are exactly what the server sent. */
  readonly isUnchanged: boolean;
  /** The decision on the first tool that was held back; null if none was. */
  readonly held: Evaluation | null;
}

/**
 * Returns the tools that clients may see of a server's list. A tool that is listed for the first time is pinned, or
 * held back if its texts have a finding; if a tool changes, clients see the pinned text until a person approves the
 * change.
 */
export async function pinTools(
  deps: PinToolsDeps,
  exchange: McpExchange,
  listed: readonly unknown[],
): Promise<ShownTools> {
  const { principal, server } = exchange;
  const known = new Map(
    (await deps.storage.mcpTools.list(principal.organizationId, server.projectId, server.name)).map(
      (tool) => [tool.name, tool],
    ),
  );
  const tools: unknown[] = [];
  let isUnchanged = true;
  let held: Evaluation | null = null;
  const seen = new Set<string>();
  for (const tool of listed) {
    if (!isTool(tool) || seen.has(tool.name) || seen.size >= MAX_TOOLS) {
      isUnchanged = false;
      continue;
    }
    seen.add(tool.name);
    const definition = await deps.pacedTurns.run(principal, canonicalJsonInSteps(tool));
    if (definition.length > MAX_DEFINITION) {
      isUnchanged = false;
      continue;
    }
    const shown = await showTool(deps, exchange, tool, definition, known.get(tool.name));
    if (shown.tool !== tool) isUnchanged = false;
    if (shown.tool !== null) tools.push(shown.tool);
    held ??= shown.held;
  }
  return { tools, isUnchanged, held };
}

/** `tool`: the tool as listed, the pinned one, or null if clients must not see it. */
async function showTool(
  deps: PinToolsDeps,
  exchange: McpExchange,
  tool: Tool,
  definition: string,
  pin: McpTool | undefined,
): Promise<{ readonly tool: unknown; readonly held: Evaluation | null }> {
  const { server } = exchange;
  if (pin !== undefined && pin.pinned === definition) {
    if (pin.proposed !== null)
      await deps.storage.mcpTools.propose(server.projectId, server.name, tool.name, null);
    return { tool, held: null };
  }
  let held: Evaluation | null = null;
  if (!isSettled(pin, definition)) {
    held = await readNew(deps, exchange, tool, definition, pin);
    if (held.decision === 'allow') return { tool, held: null };
  }
  const pinned = pin?.pinned ?? null;
  return { tool: pinned === null ? null : JSON.parse(pinned), held };
}

/** Returns whether this definition is awaiting a decision or was denied. */
function isSettled(pin: McpTool | undefined, definition: string): boolean {
  return pin !== undefined && (pin.proposed === definition || pin.denied === definition);
}

async function readNew(
  deps: PinToolsDeps,
  exchange: McpExchange,
  tool: Tool,
  definition: string,
  pin: McpTool | undefined,
): Promise<Evaluation> {
  const { principal, server } = exchange;
  const conversation = await deps.pacedTurns.run(principal, readLeafTextsInSteps(tool, 'tool_definition'));
  const evaluation = await evaluate(deps, principal, {
    recorded: exchange.recorded,
    direction: 'input',
    texts: { conversation, unread: conversation.unscanned },
    delivery: 'told',
    destination: exchange.destination,
    steps: pin === undefined ? STEPS : [...STEPS, holdBack(CHANGED)],
  });
  if (evaluation.decision === 'allow') {
    await deps.storage.mcpTools.pin(server.projectId, server.name, tool.name, {
      definition,
      isClosedWorld: isClosedWorld(tool),
    });
    return evaluation;
  }
  await deps.storage.transaction(async ({ mcpTools, audit }) => {
    await mcpTools.propose(server.projectId, server.name, tool.name, definition);
    await audit.append({
      organizationId: principal.organizationId,
      kind: 'mcp.tool_changed',
      actor: principal.actor,
      subject: server.projectId,
      data: {
        ...{ server: server.name, tool: tool.name, event_id: evaluation.eventId },
        state: pin?.pinned == null ? 'withheld' : 'changed',
      },
    });
  });
  return evaluation;
}

const CHANGED =
  'An MCP server changed a tool. The approved definition stays in use until a person approves the new one.';

const NOT_REQUESTED = 'An MCP server sent a list of tools that its client did not request. It was dropped.';

/** Records a list that the client did not request and does not get. */
export async function dropTools(
  deps: PinToolsDeps,
  { principal, recorded, destination }: McpExchange,
  listed: readonly unknown[],
): Promise<Evaluation> {
  const conversation = await deps.pacedTurns.run(principal, readLeafTextsInSteps(listed, 'tool_definition'));
  return evaluate(deps, principal, {
    ...{ recorded, destination, direction: 'input', delivery: 'told' },
    texts: { conversation, unread: conversation.unscanned },
    steps: [...STEPS, holdBack(NOT_REQUESTED)],
  });
}

const holdBack =
  (reason: string): Step =>
  (verdict) =>
    verdict.decision === 'block'
      ? verdict
      : tighten(verdict, {
          ...{ decision: 'block', type: 'unsafe_tool_call', reason },
          by: { kind: 'setting', id: 'mcp_tools' },
        });

function isTool(value: unknown): value is Tool {
  if (typeof value !== 'object' || value === null) return false;
  const { name } = value as { readonly name?: unknown };
  if (typeof name !== 'string' || name === '' || name.length > MAX_NAME || name.includes('\0')) return false;
  return name.isWellFormed();
}
