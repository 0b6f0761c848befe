import { decideFindings } from '../../../shared/decision/index.ts';
import {
  compileRuleset,
  type Finding,
  type Ruleset,
  scan,
  Workspace,
} from '../../../shared/detection/index.ts';
import type { SlotRole } from '../../../shared/text/index.ts';
import type { Row } from './examples.ts';

export interface EvaluatedRow {
  readonly row: Row;
  readonly blocked: boolean;
  /** Highest confidence of an attack finding; 0 if there is none. */
  readonly confidence: number;
  readonly findings: readonly Finding[];
}

export function projectRuleset(): Ruleset {
  return compileRuleset({ useCase: 'default', strictness: 'moderate', policies: [] });
}

export function evaluateRows(rows: readonly Row[], ruleset: Ruleset): EvaluatedRow[] {
  const workspace = new Workspace();
  return rows.map((row) => {
    const slots = [{ path: '/content', role: (row.role ?? 'user') as SlotRole, text: row.text }];
    const findings = scan(slots, ruleset, 'input', { workspace }).filter(
      (finding) => finding.pii === undefined,
    );
    const verdict = decideFindings(findings, ruleset, 'input');
    const confidence = findings.reduce((highest, finding) => Math.max(highest, finding.confidence), 0);
    return { row, blocked: verdict.decision === 'block', confidence, findings };
  });
}

export interface Share {
  readonly name: string;
  readonly hits: number;
  readonly total: number;
}

/** Returns the share of blocked rows per group, sorted by name. */
export function sharesBy(evaluated: readonly EvaluatedRow[], group: (row: Row) => string): Share[] {
  const groups = new Map<string, { hits: number; total: number }>();
  for (const { row, blocked } of evaluated) {
    const name = group(row);
    const share = groups.get(name) ?? { hits: 0, total: 0 };
    share.total++;
    if (blocked) share.hits++;
    groups.set(name, share);
  }
  return [...groups]
    .map(([name, share]) => ({ name, ...share }))
    .sort((a, b) => a.name.localeCompare(b.name));
}

export function lengthBand(row: Row): string {
  const { length } = row.text;
  for (const [limit, name] of [
    [100, '     0-99'],
    [300, '  100-299'],
    [1000, '  300-999'],
    [3000, ' 1000-2999'],
    [10_000, ' 3000-9999'],
  ] as const) {
    if (length < limit) return name;
  }
  return '10000 and more';
}

/** Returns the script of most letters; Latin texts are not divided further. */
export function scriptOf(row: Row): string {
  const scripts = [
    'Latin',
    'Cyrillic',
    'Han',
    'Arabic',
    'Devanagari',
    'Hangul',
    'Hiragana',
    'Katakana',
    'Thai',
    'Hebrew',
  ];
  let best = 'other';
  let highest = 0;
  for (const script of scripts) {
    const count = row.text.slice(0, 2000).match(new RegExp(`\\p{Script=${script}}`, 'gu'))?.length ?? 0;
    if (count > highest) {
      highest = count;
      best = script;
    }
  }
  return best;
}

/** Returns the share of attacks among the texts with a confidence in each tenth. */
export function reliability(evaluated: readonly EvaluatedRow[]): Share[] {
  const bins = Array.from({ length: 10 }, () => ({ hits: 0, total: 0 }));
  for (const { row, confidence } of evaluated) {
    const bin = bins[Math.min(9, Math.floor(confidence * 10))]!;
    bin.total++;
    bin.hits += row.label;
  }
  return bins.map((bin, index) => ({
    name: `${(index / 10).toFixed(1)}-${((index + 1) / 10).toFixed(1)}`,
    ...bin,
  }));
}

export function macro(shares: readonly Share[]): number {
  return shares.reduce((sum, share) => sum + share.hits / share.total, 0) / Math.max(1, shares.length);
}
