/** The engine alone, in a process of its own. Prints one JSON object: microseconds per KB by length, and the worst text. */
import { compileRuleset, decide, scan } from '@csg/shared/detection';
import { median } from './statistics.ts';
import { hostileTexts, mixedText } from './texts.ts';

export interface EngineFigures {
  /** Median time per KB of UTF-8, by the text's length in characters. */
  readonly usPerKb: Readonly<Record<string, number>>;
  /** Time per KB at 100,000 characters by that at 10,000. */
  readonly growth: number;
  /** The slowest of the hostile texts of 100,000 characters, in milliseconds, and all of them. */
  readonly worst: { readonly name: string; readonly ms: number };
  readonly hostileMs: Readonly<Record<string, number>>;
  /** The same where a text of its kind was never scanned before, and V8 compiles while it reads. */
  readonly worstAtFirst: { readonly name: string; readonly ms: number };
}

const HOSTILE_WARM_UP = 5;
const HOSTILE_SCANS = 7;

const ruleset = compileRuleset({ useCase: 'default', strictness: 'moderate', policies: [] });

function scanOnce(text: string): number {
  const begun = performance.now();
  decide(scan([{ path: '/', role: 'user', text }], ruleset, 'input'), ruleset, 'input');
  return (performance.now() - begun) * 1000;
}

function usPerKb(characters: number, seconds: number): number {
  // Several texts, so that nothing is remembered from the last one.
  const texts = Array.from({ length: 8 }, (_, seed) => mixedText(characters, seed + 11));
  const perKb = texts.map((text) => Buffer.byteLength(text) / 1024);
  const figures: number[] = [];
  const until = performance.now() + seconds * 1000;
  for (let i = 0; performance.now() < until; i++) {
    const at = i % texts.length;
    figures.push(scanOnce(texts[at]!) / perKb[at]!);
  }
  return median(figures);
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
usPerKb(2_000, seconds);
const sizes: Record<string, number> = {};
for (const characters of [1_000, 10_000, 100_000]) sizes[characters] = usPerKb(characters, seconds);
const hostile = hostileTimes(100_000);
const figures: EngineFigures = {
  usPerKb: sizes,
  growth: sizes[100_000]! / sizes[10_000]!,
  worst: slowest(hostile.medianMs),
  hostileMs: hostile.medianMs,
  worstAtFirst: slowest(hostile.firstMs),
};
console.log(JSON.stringify(figures));
