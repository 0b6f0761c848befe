import { STRICTNESS_LEVELS } from '../../shared/contract/index.ts';
import { macro, sharesBy } from './evaluate.ts';
import type { ActedOn, TrafficReport } from './evaluate-traffic.ts';
import type { Row } from './examples.ts';
import { createTextScorer } from './score-texts.ts';

/** So many of the worst sources are shown. */
const MAX_SOURCES = 10;
/** Attacks of a source from which its recall says something. */
const MIN_ATTACKS = 12;

/** Prints the tables; `rows`: labelled texts, whose attacks are scored at the same share of honest texts. */
export function printTraffic(report: TrafficReport, rows: readonly Row[]): void {
  printActedOn('Honest texts acted on as attacks', report.files);
  printActedOn('Worst sources', report.sources.slice(0, MAX_SOURCES));
  printActedOn('By language', report.languages);
  console.log('\nSessions under default:moderate: rejected, with a passage withheld');
  for (const { name, total, rejected, withheld } of report.sessions)
    console.log(`  ${name.padEnd(46)}${percent(rejected, total)}${percent(withheld, total)}  of ${total}`);
  const { stopped, total } = report.planted;
  console.log(`\nOrders of our own making in tool results, stopped: ${percent(stopped, total)} of ${total}`);
  if (rows.some(({ label }) => label === 1)) printRecall(report, rows);
}

function printActedOn(title: string, groups: readonly ActedOn[]): void {
  console.log(`\n${title}: ${STRICTNESS_LEVELS.join(', ')}`);
  for (const { name, total, hits } of groups) {
    const shares = STRICTNESS_LEVELS.map((level) => percent(hits[level], total)).join('');
    console.log(`  ${name.slice(0, 44).padEnd(46)}${shares}  of ${total}`);
  }
}

/** A user's attacks at a share of users' texts, those in data at a share of tool results and documents. */
function printRecall({ thresholds }: TrafficReport, rows: readonly Row[]): void {
  const score = createTextScorer({ useCase: 'default', strictness: 'moderate' });
  const attacks = rows.filter(({ label }) => label === 1);
  for (const kind of ['user', 'data'] as const) {
    const scored = attacks
      .filter(({ role = 'user' }) => (role === 'user') === (kind === 'user'))
      .map((row) => ({
        row,
        score: score({ id: 0, text: row.text, role: kind === 'user' ? 'user' : 'tool_result' }).score,
      }));
    for (const [index, share] of ['1 %', '.5 %'].entries()) {
      const evaluated = scored.map(({ row, score: own }) => ({
        row,
        blocked: own > thresholds[kind][index]!,
        confidence: 0,
        findings: [],
      }));
      const shares = sharesBy(evaluated, ({ source }) => source).filter(({ total }) => total >= MIN_ATTACKS);
      if (shares.length === 0) continue;
      const texts = kind === 'user' ? "users' texts" : 'tool results and documents';
      console.log(`\nRecall at ${share} of ${texts}: macro ${macro(shares).toFixed(3)}`);
      for (const { name, hits, total } of shares)
        console.log(`  ${name.slice(0, 44).padEnd(46)}${percent(hits, total)}  of ${total}`);
    }
  }
}

function percent(part: number, whole: number): string {
  return (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`).padStart(9);
}
