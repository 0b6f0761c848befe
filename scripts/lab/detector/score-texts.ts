import { readFileSync } from 'node:fs';
import { effectiveSettings, type GuardRequest } from '../../../shared/contract/index.ts';
import { decideFindings } from '../../../shared/decision/index.ts';
import {
  attackScore,
  attributeFindings,
  compileRuleset,
  createTaskReader,
  MIN_ATTACK_SCORE,
  type Preset,
  scan,
  Workspace,
} from '../../../shared/detection/index.ts';
import { readGuardRequest } from '../../../shared/providers/index.ts';

const ROLES = ['user', 'system', 'assistant', 'tool', 'tool_result'] as const;

/** One line of the file. */
export interface TextRow {
  readonly id: string | number;
  readonly text: string;
  readonly role?: (typeof ROLES)[number] | undefined;
  /** System prompt of the conversation. */
  readonly system?: string | undefined;
  /** The user's earlier request. */
  readonly task?: string | undefined;
}

export interface ScoredText {
  readonly id: string | number;
  readonly decision: string;
  readonly threat_type: string | null;
  readonly confidence: number;
  /** Log-odds of an attack, on one scale for all roles. */
  readonly score: number;
}

/** Reads a JSON Lines file; throws an Error that names the first invalid line. */
export function readTextRows(path: string): TextRow[] {
  const rows: TextRow[] = [];
  // Splits at line feeds only: texts may contain U+2028.
  for (const [index, line] of readFileSync(path, 'utf8').split('\n').entries()) {
    if (line.trim() === '') continue;
    const problem = problemOf(line, rows);
    if (problem !== null) throw new Error(`${path}, line ${index + 1}: ${problem}`);
  }
  return rows;
}

/** Adds the row of a line to `rows`, or returns its problem. */
function problemOf(line: string, rows: TextRow[]): string | null {
  let row: unknown;
  try {
    row = JSON.parse(line);
  } catch {
    return 'not valid JSON';
  }
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return 'not a JSON object';
  const { id, text, role, system, task } = row as Readonly<Record<string, unknown>>;
  if (typeof id !== 'string' && typeof id !== 'number') return 'id must be a string or a number';
  if (typeof text !== 'string') return 'text must be a string';
  const known = ROLES.find((name) => name === (role ?? 'user'));
  if (known === undefined) return `role must be one of ${ROLES.join(', ')}`;
  for (const [name, value] of Object.entries({ system, task }))
    if ((value ?? null) !== null && typeof value !== 'string') return `${name} must be a string`;
  rows.push({ id, text, role: known, system: textOrNone(system), task: textOrNone(task) });
  return null;
}

function textOrNone(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Evaluates single texts as guard does. */
export function createTextScorer(preset: Preset): (row: TextRow) => ScoredText {
  const ruleset = compileRuleset({ ...preset, policies: [] });
  const { untrusted_data: untrustedData } = effectiveSettings(
    {},
    { strictness_level: preset.strictness, fail_mode: 'open' },
  );
  const workspace = new Workspace();
  return (row) => {
    const request = guardRequestOf(row);
    const { messages, slots } = readGuardRequest(request);
    const scanned = scan(slots, ruleset, 'input', { workspace });
    const found = attributeFindings(scanned, { messages, slots }, { direction: 'input' });
    const verdict = decideFindings(found, ruleset, 'input', untrustedData);
    const path = `/messages/${request.messages.length - 1}/content`;
    const index = slots.findIndex((slot) => slot.path === path);
    const task = createTaskReader(slots, 'input', workspace);
    const score =
      index === -1
        ? MIN_ATTACK_SCORE
        : attackScore(
            slots[index]!,
            scanned.filter((finding) => finding.slot === index),
            task(index),
            workspace,
          );
    return {
      id: row.id,
      decision: verdict.decision,
      threat_type: verdict.threatType,
      confidence: verdict.confidence,
      score,
    };
  };
}

/** The text is the last message of a conversation. */
function guardRequestOf({ text, role = 'user', system, task }: TextRow): GuardRequest {
  const isTool = role === 'tool' || role === 'tool_result';
  return {
    messages: [
      ...(system === undefined ? [] : [{ role: 'system', content: system }]),
      ...(task === undefined ? [] : [{ role: 'user', content: task }]),
      { role: isTool ? 'tool' : role, content: text },
    ],
  };
}
