/**
 * Measures the engine on labeled texts and prints tables: by source, category, script and length, calibration, false
 * positives by detector, confusion examples by id, personal data, speed.
 *   npm run eval -- --data DIR [--examples N] [--json FILE] [--plots DIR]
 *   npm run -s eval -- --texts FILE [--preset P]   evaluates single texts, as guard does
 *   npm run eval -- --traffic DIR [--data DIR]     the effect on benign texts and sessions, with recall
 * DIR (or EVAL_DATA_DIR) contains JSONL files of {id, text, label, category, source, role?}; if it has a train.jsonl,
 * only dev.jsonl is read. ../pii/public.jsonl next to it, or --pii FILE, adds the table of personal data.
 */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listPresets, parsePreset, scan, Workspace } from '../../shared/detection/index.ts';
import { readOptions } from '../options.ts';
import { drawBars } from './charts/draw-bars.ts';
import { drawTradeOff } from './charts/draw-trade-off.ts';
import {
  type EvaluatedRow,
  evaluateRows,
  lengthBand,
  macro,
  projectRuleset,
  reliability,
  type Share,
  scriptOf,
  sharesBy,
} from './detector/evaluate.ts';
import { scorePii } from './detector/evaluate-pii.ts';
import { evaluateTraffic } from './detector/evaluate-traffic.ts';
import { type Row, readRows } from './detector/examples.ts';
import { printTraffic } from './detector/print-traffic.ts';
import { createTextScorer, readTextRows, type TextRow } from './detector/score-texts.ts';

function table(title: string, shares: readonly Share[], least = 1): void {
  console.log(`\n${title}`);
  for (const { name, hits, total } of shares) {
    if (total < least) continue;
    console.log(
      `  ${name.slice(0, 44).padEnd(46)}${(hits / total).toFixed(3).padStart(7)}  ${hits} of ${total}`,
    );
  }
}

function readFolder(folder: string): Row[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  const chosen = files.includes('train.jsonl') && files.includes('dev.jsonl') ? ['dev.jsonl'] : files;
  return chosen.flatMap((name) => readRows(join(folder, name)));
}

function speed(rows: readonly Row[]): number {
  const ruleset = projectRuleset();
  const texts = rows.map((row) => row.text).filter((text) => text.length < 30_000);
  const kilobytes = texts.reduce((sum, text) => sum + text.length, 0) / 1024;
  const workspace = new Workspace();
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5; round++) {
    const before = process.cpuUsage();
    for (const text of texts)
      scan([{ path: '/content', role: 'user', text }], ruleset, 'input', { workspace });
    const used = process.cpuUsage(before);
    best = Math.min(best, (used.user + used.system) / kilobytes);
  }
  return best;
}

function report(evaluated: readonly EvaluatedRow[], examples: number): Record<string, unknown> {
  const attacks = evaluated.filter(({ row }) => row.label === 1);
  const harmless = evaluated.filter(({ row }) => row.label === 0);
  const recall = sharesBy(attacks, (row) => row.source);
  const alarms = sharesBy(harmless, (row) => row.source);
  table('Recall by source', recall);
  console.log(`  macro ${macro(recall).toFixed(3)}`);
  table(
    'Recall by category (at least 5 texts)',
    sharesBy(attacks, (row) => row.category),
    5,
  );
  table('Recall by length', sharesBy(attacks, lengthBand));
  table('Recall by script', sharesBy(attacks, scriptOf));
  table('False positives by source', alarms);
  console.log(
    `  all ${(harmless.filter((one) => one.blocked).length / Math.max(1, harmless.length)).toFixed(4)}`,
  );
  table('False positives by length', sharesBy(harmless, lengthBand));
  table('False positives by script', sharesBy(harmless, scriptOf));
  table('Calibration: share of attacks by confidence', reliability(evaluated));
  const detectors = new Map<string, [number, number]>();
  for (const { row, findings } of evaluated) {
    for (const rule of new Set(findings.filter((one) => one.confidence >= 0.5).map((one) => one.rule))) {
      const counts = detectors.get(rule) ?? [0, 0];
      counts[row.label]++;
      detectors.set(rule, counts);
    }
  }
  console.log('\nTexts with a match of at least 0.5, by detector: benign, attacks');
  for (const [rule, [wrong, right]] of [...detectors].sort()) {
    console.log(`  ${rule.padEnd(46)}${String(wrong).padStart(6)}${String(right).padStart(6)}`);
  }
  const wrong = harmless.filter((one) => one.blocked).sort((a, b) => b.confidence - a.confidence);
  const missed = attacks.filter((one) => !one.blocked).sort((a, b) => a.confidence - b.confidence);
  const ids = (list: readonly EvaluatedRow[]) =>
    list
      .slice(0, examples)
      .map(({ row }) => row.id)
      .join(' ');
  console.log(
    `\nFalse positives, highest confidence first: ${ids(wrong)}\nMissed attacks, lowest confidence first: ${ids(missed)}`,
  );
  return { recall, alarms, macro: macro(recall), calibration: reliability(evaluated) };
}

function plot(evaluated: readonly EvaluatedRow[], folder: string): void {
  const attacks = evaluated.filter(({ row }) => row.label === 1);
  const harmless = evaluated.filter(({ row }) => row.label === 0);
  const plots = {
    'detection-trade-off.svg': drawTradeOff(
      'Recall by false positive rate',
      attacks.map((one) => one.confidence),
      harmless.map((one) => one.confidence),
    ),
    'detection-calibration.svg': shareBars(
      'Calibration: share of attacks, by confidence',
      reliability(evaluated),
    ),
    'detection-recall-by-length.svg': shareBars(
      'Recall by length in characters',
      sharesBy(attacks, lengthBand),
    ),
    'detection-alarms-by-length.svg': shareBars(
      'False positives by length in characters',
      sharesBy(harmless, lengthBand),
    ),
  };
  for (const [name, svg] of Object.entries(plots)) writeFileSync(join(folder, name), svg);
}

function shareBars(title: string, shares: readonly Share[]): string {
  const rows = shares.map(({ name, hits, total }) => ({
    label: name.trim(),
    value: hits / Math.max(1, total),
    isOurs: true,
  }));
  return drawBars(title, rows, { digits: 2, max: 1 });
}

const SCRIPT = {
  command: 'npm run eval --',
  about:
    'Measures the engine on labeled texts (--data) or benign traffic (--traffic), or evaluates single texts (--texts).',
  options: {
    texts: {
      type: 'string',
      value: 'FILE',
      help: 'JSON lines {id, text, role?, system?, task?}; prints {id, decision, threat_type, confidence, score} for each',
    },
    preset: { type: 'string', value: 'P', help: 'Preset for --texts', default: 'default:moderate' },
    traffic: {
      type: 'string',
      value: 'DIR',
      help: 'Benign texts and sessions (chat.dev.jsonl, sessions.dev.jsonl …): false positives by source, language and session',
    },
    data: { type: 'string', value: 'DIR', help: 'Folder of labeled texts as JSON lines (or EVAL_DATA_DIR)' },
    pii: { type: 'string', value: 'FILE', help: 'Texts with labeled spans of personal data' },
    json: { type: 'string', value: 'FILE', help: 'Also write the tables as JSON' },
    examples: { type: 'string', value: 'N', help: 'Number of errors to list by id', default: '12' },
    plots: { type: 'string', value: 'DIR', help: 'Also draw the plots' },
  },
} as const;

/** Resolves to the exit code. */
async function main(): Promise<number> {
  const values = readOptions(SCRIPT);
  if (values.texts !== undefined) return scoreTexts(values.texts, values.preset);
  const folder = values.data ?? process.env['EVAL_DATA_DIR'];
  if (values.traffic !== undefined) {
    if (!existsSync(join(values.traffic, 'chat.dev.jsonl')))
      return fail(`There is no chat.dev.jsonl in ${values.traffic}.`);
    await printTraffic(evaluateTraffic(values.traffic), folder === undefined ? [] : readFolder(folder));
    return 0;
  }
  if (folder === undefined) return fail('Name the texts with --texts FILE, --traffic DIR or --data DIR.');
  const rows = readFolder(folder);
  console.log(`${rows.length} texts from ${folder}`);
  const evaluated = evaluateRows(rows, projectRuleset());
  const result = report(evaluated, Number(values.examples));
  if (values.plots !== undefined) plot(evaluated, values.plots);
  const pii = values.pii ?? join(folder, '../pii/public.jsonl');
  if (existsSync(pii)) {
    const { scores, negatives, negativesHit } = scorePii(pii);
    console.log('\nPersonal data, exact spans: recall, precision');
    for (const { type, found, missed, wrong } of scores) {
      const recall = found / Math.max(1, found + missed);
      const precision = found / Math.max(1, found + wrong);
      console.log(`  ${type.padEnd(14)}${recall.toFixed(3).padStart(7)}${precision.toFixed(3).padStart(7)}`);
    }
    console.log(`  texts without personal data: findings in ${negativesHit} of ${negatives}`);
  }
  const cost = speed(rows);
  console.log(`\nSpeed: ${cost.toFixed(1)} µs of processor time per KB`);
  if (values.json !== undefined)
    writeFileSync(values.json, `${JSON.stringify({ ...result, cost }, null, 2)}\n`);
  return 0;
}

/** Standard output contains only the result lines. */
function scoreTexts(path: string, presetName: string): number {
  const preset = parsePreset(presetName);
  if (preset === undefined)
    return fail(`Unknown preset ${presetName}. Presets: ${listPresets().join(', ')}.`);
  let rows: readonly TextRow[];
  try {
    rows = readTextRows(path);
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
  const score = createTextScorer(preset);
  for (const row of rows) process.stdout.write(`${JSON.stringify(score(row))}\n`);
  return 0;
}

function fail(sentence: string): number {
  console.error(sentence);
  return 2;
}

if (import.meta.main) process.exitCode = await main();
