/** The engine alone, in a process of its own. Prints one JSON object: microseconds per KB by length, and the worst text. */
import { decideFindings } from '@csg/shared/decision';
import { compileRuleset, scan, Workspace } from '@csg/shared/detection';
import { openRe2Set } from './re2-set.ts';
import { median, ratioByRound } from './statistics.ts';
import { hostileTexts, mixedText } from './texts.ts';

export interface EngineFigures {
  /** Time per KB of UTF-8, by the text's length in characters: median of the rounds. */
  readonly usPerKb: Readonly<Record<string, number>>;
  /** Time per KB at 100,000 characters by that at 10,000 in the same round. */
  readonly growth: number;
  /** The slowest of the hostile texts of 100,000 characters, in milliseconds, and all of them. */
  readonly worst: { readonly name: string; readonly ms: number };
  readonly hostileMs: Readonly<Record<string, number>>;
  /** The same where a text of its kind was never scanned before, and V8 compiles while it reads. */
  readonly worstAtFirst: { readonly name: string; readonly ms: number };
  /** RE2 with 100 patterns over the texts of 10,000 characters, by time per KB; null: it is not installed. */
  readonly re2UsPerKb: number | null;
}

const ROUNDS = 20;
const HOSTILE_WARM_UP = 5;
const HOSTILE_SCANS = 7;

const ruleset = compileRuleset({ useCase: 'default', strictness: 'moderate', policies: [] });
const workspace = new Workspace();

function scanOnce(text: string): number {
  const begun = performance.now();
  decideFindings(
    scan([{ path: '/', role: 'user', text }], ruleset, 'input', { workspace }),
    ruleset,
    'input',
  );
  return (performance.now() - begun) * 1000;
}

/** Several, so that nothing is remembered from the last one. */
function textsOf(characters: number): { readonly text: string; readonly kb: number }[] {
  return Array.from({ length: 8 }, (_, seed) => {
    const text = mixedText(characters, seed + 11);
    return { text, kb: Buffer.byteLength(text) / 1024 };
  });
}

/** Median over one round. */
function usPerKb(texts: ReturnType<typeof textsOf>, seconds: number): number {
  const figures: number[] = [];
  const until = performance.now() + seconds * 1000;
  for (let i = 0; performance.now() < until; i++) {
    const { text, kb } = texts[i % texts.length]!;
    figures.push(scanOnce(text) / kb);
  }
  return median(figures);
}

/** Time per KB by length and round; the lengths take turns. */
function roundsOf(lengths: readonly number[], seconds: number): Map<number, number[]> {
  const texts = new Map(lengths.map((characters) => [characters, textsOf(characters)]));
  const rounds = new Map(lengths.map((characters) => [characters, [] as number[]]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [characters, figures] of rounds)
      figures.push(usPerKb(texts.get(characters)!, seconds / ROUNDS));
  }
  return rounds;
}

interface HostileTimes {
  readonly firstMs: Record<string, number>;
  readonly medianMs: Record<string, number>;
}

function hostileTimes(characters: number): HostileTimes {
  const firstMs: Record<string, number> = {};
  const medianMs: Record<string, number> = {};
  for (const [name, text] of Object.entries(hostileTexts(characters))) {
    firstMs[name] = scanOnce(text) / 1000;
    for (let n = 0; n < HOSTILE_WARM_UP; n++) scanOnce(text);
    medianMs[name] = median(Array.from({ length: HOSTILE_SCANS }, () => scanOnce(text))) / 1000;
  }
  return { firstMs, medianMs };
}

function slowest(times: Readonly<Record<string, number>>): { readonly name: string; readonly ms: number } {
  const [name = '', ms = 0] = Object.entries(times).sort((a, b) => b[1] - a[1])[0] ?? [];
  return { name, ms };
}

const seconds = Number(process.argv[2] ?? 1);
const re2 = openRe2Set(textsOf(10_000).map(({ text }) => text));
usPerKb(textsOf(2_000), seconds);
const rounds = roundsOf([1_000, 10_000, 100_000], seconds);
const hostile = hostileTimes(100_000);
const figures: EngineFigures = {
  usPerKb: Object.fromEntries([...rounds].map(([characters, each]) => [characters, median(each)])),
  growth: ratioByRound(rounds.get(100_000), rounds.get(10_000))!,
  worst: slowest(hostile.medianMs),
  hostileMs: hostile.medianMs,
  worstAtFirst: slowest(hostile.firstMs),
  re2UsPerKb: re2?.usPerKb(seconds) ?? null,
};
console.log(JSON.stringify(figures));
