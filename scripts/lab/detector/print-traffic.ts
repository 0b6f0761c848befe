import { STRICTNESS_LEVELS } from '../../../shared/contract/index.ts';
import { boundSecondOpinion } from './bound-second-opinion.ts';
import { macro, sharesBy } from './evaluate.ts';
import { evaluateConfidence, type LabelledText, MIN_BIN } from './evaluate-confidence.ts';
import type { ActedOn, TrafficReport } from './evaluate-traffic.ts';
import type { Row } from './examples.ts';
import { createTextScorer } from './score-texts.ts';

/** Maximum number of the worst sources to print. */
const MAX_SOURCES = 10;
/** Minimum number of a source's attacks for a meaningful recall. */
const MIN_ATTACKS = 12;

/** Prints the tables; `rows`: labeled texts, whose attacks are scored at the same share of benign texts. */
export async function printTraffic(report: TrafficReport, rows: readonly Row[]): Promise<void> {
  printActedOn('Benign texts treated as attacks', report.files);
  printActedOn('Sources with the highest rates', report.sources.slice(0, MAX_SOURCES));
  printActedOn('By language', report.languages);
  console.log('\nSessions under default:moderate: rejected, with a withheld passage');
  for (const { name, total, rejected, withheld } of report.sessions)
    console.log(`  ${name.padEnd(46)}${percent(rejected, total)}${percent(withheld, total)}  of ${total}`);
  console.log(
    '\nTool results as files of a coding agent, under default:moderate: secret masked, personal data masked, passage withheld',
  );
  for (const { name, total, secrets, personalData, withheld } of report.codingAgent)
    console.log(
      `  ${name.padEnd(46)}${percent(secrets, total)}${percent(personalData, total)}${percent(withheld, total)}  of ${total}`,
    );
  const { stopped, total } = report.planted;
  console.log(`\nPlanted instructions in tool results, blocked: ${percent(stopped, total)} of ${total}`);
  if (!rows.some(({ label }) => label === 1)) return;
  printRecall(report, rows);
  const userTexts = rows
    .filter(({ role = 'user' }) => role === 'user')
    .map(({ text, label }): LabelledText => ({ text, role: 'user', label }));
  const labelled = [...report.texts.user, ...userTexts];
  printConfidence("users' texts", labelled);
  printConfidence('tool results', report.texts.data);
  await printSecondOpinion(labelled);
}

async function printSecondOpinion(texts: readonly LabelledText[]): Promise<void> {
  const attacks = texts.filter(({ label }) => label === 1).length;
  const harmless = texts.length - attacks;
  console.log(
    "\nA second classifier for users' texts, under default:moderate: attacks found, benign texts blocked, texts it was asked about",
  );
  for (const bound of await boundSecondOpinion(texts)) {
    const shares = [
      percent(bound.attacks, attacks),
      percent(bound.harmless, harmless),
      percent(bound.askedAttacks + bound.askedHarmless, texts.length),
    ];
    console.log(`  ${(bound.name ?? 'none').padEnd(46)}${shares.join('')}`);
  }
}

function printConfidence(kind: string, texts: readonly LabelledText[]): void {
  const { bins, nearCertain } = evaluateConfidence(texts);
  console.log(
    `\nConfidence in ${kind}: expected and observed share of attacks, error for bins with at least ${MIN_BIN} texts`,
  );
  for (const { from, harmless, attacks, expected, observed, error } of bins) {
    if (harmless + attacks === 0) continue;
    const shares = [expected, observed, error].map((one) => (one?.toFixed(3) ?? '–').padStart(8)).join('');
    console.log(`  from ${from.toFixed(1)}${shares}  ${attacks} of ${harmless + attacks}`);
  }
  console.log(`  a confidence of .99 is wrong for ${nearCertain.wrong} of ${nearCertain.total} texts`);
}

function printActedOn(title: string, groups: readonly ActedOn[]): void {
  console.log(`\n${title}: ${STRICTNESS_LEVELS.join(', ')}`);
  for (const { name, total, hits } of groups) {
    const shares = STRICTNESS_LEVELS.map((level) => percent(hits[level], total)).join('');
    console.log(`  ${name.slice(0, 44).padEnd(46)}${shares}  of ${total}`);
  }
}

/** Prints recall: user attacks at a share of users' texts, attacks in data at a share of tool results and documents. */
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
    for (const [index, share] of ['1%', '.5%'].entries()) {
      const evaluated = scored.map(({ row, score: own }) => ({
        row,
        blocked: own > thresholds[kind][index]!,
        confidence: 0,
        findings: [],
      }));
      const shares = sharesBy(evaluated, ({ source }) => source).filter(({ total }) => total >= MIN_ATTACKS);
      if (shares.length === 0) continue;
      const texts = kind === 'user' ? "users' texts" : 'tool results and documents';
      console.log(
        `\nRecall at a false positive rate of ${share} in ${texts}: macro ${macro(shares).toFixed(3)}`,
      );
      for (const { name, hits, total } of shares)
        console.log(`  ${name.slice(0, 44).padEnd(46)}${percent(hits, total)}  of ${total}`);
    }
  }
}

function percent(part: number, whole: number): string {
  return (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)}%`).padStart(9);
}
