import { join } from 'node:path';
import { STRICTNESS_LEVELS, type StrictnessLevel } from '../../../shared/contract/index.ts';
import { WITHHELD } from '../../../shared/detection/index.ts';
import { createRandom } from '../../../test/support/random.ts';
import { type Message, ORDER_KINDS, plantOrder } from '../flows/planted-orders.ts';
import type { LabelledText } from './evaluate-confidence.ts';
import { evaluateFiles, type FileRow, type FileShare } from './evaluate-files.ts';
import { readRows } from './examples.ts';
import { createConversationScorer } from './score-conversations.ts';
import { createTextScorer, type ScoredText, type TextRow } from './score-texts.ts';

/** Files of real harmless texts, and the default role of each. */
const FILES = {
  chat: 'user',
  'tool-results': 'tool_result',
  assistant: 'assistant',
  'about-attacks': 'tool_result',
} as const;
type FileName = keyof typeof FILES;

interface TrafficRow {
  readonly file: FileName;
  readonly source: string;
  readonly lang: string;
  readonly text: TextRow;
}

interface Session {
  readonly source: string;
  readonly kind: string;
  readonly messages: readonly Message[];
}

/** How many texts of a group were treated as an attack. */
export interface ActedOn {
  readonly name: string;
  readonly total: number;
  readonly hits: Readonly<Record<StrictnessLevel, number>>;
}

export interface SessionShare {
  readonly name: string;
  readonly total: number;
  /** The whole conversation is rejected, or a passage is withheld. */
  readonly rejected: number;
  readonly withheld: number;
}

interface PlantedReport {
  readonly total: number;
  readonly stopped: number;
}

export interface TrafficReport {
  readonly files: readonly ActedOn[];
  /** Sources with at least `MIN_GROUP` texts, the worst first. */
  readonly sources: readonly ActedOn[];
  readonly languages: readonly ActedOn[];
  readonly sessions: readonly SessionShare[];
  /** Tool results, evaluated as files that a coding agent reads, by category. */
  readonly codingAgent: readonly FileShare[];
  /** Synthetic instructions, each in a tool result of a session: their number, and how many were blocked. */
  readonly planted: PlantedReport;
  /** Benign texts of each kind, and tool results with a synthetic instruction. */
  readonly texts: Readonly<Record<'user' | 'data', readonly LabelledText[]>>;
  /** Scores exceeded by 1% and 0.5% of users' texts, and of tool results and documents. */
  readonly thresholds: Readonly<Record<'user' | 'data', readonly [number, number]>>;
}

/** Below this number shares are not meaningful. */
export const MIN_GROUP = 50;

const MODERATE = { useCase: 'default', strictness: 'moderate' } as const;

/** Measures the effect on benign texts and sessions of `folder` (chat.dev.jsonl, sessions.dev.jsonl …). */
export function evaluateTraffic(folder: string): TrafficReport {
  const rows = (Object.keys(FILES) as FileName[]).flatMap((file) => readTraffic(folder, file));
  const scored = STRICTNESS_LEVELS.map((strictness) => {
    const score = createTextScorer({ useCase: 'default', strictness });
    return rows.map(({ text }) => score(text));
  });
  const sessions = readRows(join(folder, 'sessions.dev.jsonl')) as unknown as Session[];
  const { planted, poisoned } = evaluatePlanted(sessions);
  const actedOn = (group: (row: TrafficRow) => string): ActedOn[] => countBy(rows, scored, group);
  const large = (list: readonly ActedOn[]): ActedOn[] =>
    list
      .filter(({ total }) => total >= MIN_GROUP)
      .sort((a, b) => b.hits.moderate / b.total - a.hits.moderate / a.total);
  const scoresOf = (isUsers: boolean): number[] =>
    scored[0]!.filter((_one, at) => (rows[at]!.text.role === 'user') === isUsers).map(({ score }) => score);
  return {
    files: actedOn(({ file }) => file),
    sources: large(actedOn(({ file, source }) => `${file}: ${source}`)),
    languages: large(actedOn(({ lang }) => lang)),
    sessions: evaluateSessions(sessions),
    codingAgent: evaluateFiles(readToolResults(folder)),
    planted,
    texts: { user: labelled(rows, 'user'), data: [...labelled(rows, 'data'), ...poisoned] },
    thresholds: { user: thresholdsOf(scoresOf(true)), data: thresholdsOf(scoresOf(false)) },
  };
}

function readTraffic(folder: string, file: FileName): TrafficRow[] {
  const rows = readRows(join(folder, `${file}.dev.jsonl`)) as unknown as {
    readonly text: string;
    readonly source: string;
    readonly lang?: string;
    readonly role?: TextRow['role'];
  }[];
  return rows.map(({ text, source, lang = 'unknown', role = FILES[file] }, id) => ({
    file,
    source,
    lang,
    text: { id, text, role },
  }));
}

function readToolResults(folder: string): FileRow[] {
  const rows = readRows(join(folder, 'tool-results.dev.jsonl')) as unknown as {
    readonly text: string;
    readonly category?: string;
    readonly role?: TextRow['role'];
  }[];
  return rows
    .filter(({ role = 'tool_result' }) => role === 'tool_result')
    .map(({ text, category = 'unknown' }) => ({ text, category }));
}

function countBy(
  rows: readonly TrafficRow[],
  scored: readonly (readonly ScoredText[])[],
  group: (row: TrafficRow) => string,
): ActedOn[] {
  const groups = new Map<string, { name: string; total: number; hits: Record<StrictnessLevel, number> }>();
  for (const [at, row] of rows.entries()) {
    const name = group(row);
    const count = groups.get(name) ?? { name, total: 0, hits: { strict: 0, moderate: 0, permissive: 0 } };
    groups.set(name, count);
    count.total++;
    for (const [index, level] of STRICTNESS_LEVELS.entries())
      if (isActedOn(scored[index]![at]!)) count.hits[level]++;
  }
  return [...groups.values()];
}

/** Personal data and secrets are masked anywhere: that is not a false positive. */
function isActedOn({ decision, threat_type: type }: Pick<ScoredText, 'decision' | 'threat_type'>): boolean {
  return decision !== 'allow' && type !== 'pii_leak' && type !== 'secret_leak';
}

function evaluateSessions(sessions: readonly Session[]): SessionShare[] {
  const score = createConversationScorer(MODERATE);
  const groups = new Map<string, { name: string; total: number; rejected: number; withheld: number }>();
  for (const { kind, messages } of sessions) {
    const count = groups.get(kind) ?? { name: kind, total: 0, rejected: 0, withheld: 0 };
    groups.set(kind, count);
    count.total++;
    const { isRejected, forwarded } = score(messages);
    if (isRejected) count.rejected++;
    else if (forwarded.some((text) => text.includes(WITHHELD))) count.withheld++;
  }
  return [...groups.values()];
}

/** Plants one instruction of each kind in each session with a tool result. */
function evaluatePlanted(sessions: readonly Session[]): {
  readonly planted: PlantedReport;
  readonly poisoned: readonly LabelledText[];
} {
  const score = createConversationScorer(MODERATE);
  const random = createRandom(1);
  let [total, stopped] = [0, 0];
  const texts: LabelledText[] = [];
  for (const { messages } of sessions)
    for (const make of Object.values(ORDER_KINDS)) {
      const order = make(random);
      const poisoned = plantOrder(messages, order, random);
      if (poisoned === null) continue;
      total++;
      texts.push({ text: String(poisoned.at(-1)!['content']), role: 'tool_result', label: 1 });
      const { isRejected, forwarded } = score(poisoned);
      if (isRejected || !forwarded.some((text) => text.includes(order.order))) stopped++;
    }
  return { planted: { total, stopped }, poisoned: texts };
}

function labelled(rows: readonly TrafficRow[], kind: 'user' | 'data'): readonly LabelledText[] {
  const role = kind === 'user' ? 'user' : 'tool_result';
  return rows
    .filter(({ text }) => text.role === role)
    .map(({ text }) => ({ text: text.text, role, label: 0 }));
}

/** Returns the scores that 1% and 0.5% of all texts exceed. */
function thresholdsOf(scores: readonly number[]): [number, number] {
  const sorted = [...scores].sort((a, b) => b - a);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.POSITIVE_INFINITY;
  return [at(0.01), at(0.005)];
}
