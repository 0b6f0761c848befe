import type { ReadingModel } from '../model/weights.ts';
import { RULE_SETS } from '../rules/index.ts';
import { createMatcher, type RuleHit } from '../rules/match-rules.ts';
import type { ScoringTables } from '../workspace.ts';
import { BOTH_HALVES, halfOf } from './attack-type.ts';

/**
 * Rules run on units whose score is less than this below the model's threshold; the others are plainly harmless.
 * Log-odds.
 */
const RULE_GATE = 1;
/** The same for units with both halves of an override: a bad sentence may surround their words and lower the score. */
const OVERRIDE_GATE = 5;
const MAX_RULE_PIECE = 700;

const matchRules = createMatcher(RULE_SETS.attacks);

/** Runs the rules on suspect units, each with the unit after it; no text is matched twice. */
export function tryRules(text: string, tables: ScoringTables, model: ReadingModel, hits: RuleHit[]): void {
  const { unitStart, unitEnd, units } = tables.reading;
  let done = -1;
  for (const unit of suspectUnits(tables, model)) {
    const start = unitStart[unit]!;
    const next = Math.min(unit + 1, units - 1);
    const end = Math.min(unitEnd[next]!, start + MAX_RULE_PIECE);
    if (end <= done) continue;
    matchRules(text, start, end, hits);
    done = end;
  }
}

/** Returns the units to run rules on, in order. Call it after `bestWindow`. */
function suspectUnits({ reading, scores }: ScoringTables, model: ReadingModel): number[] {
  const { unit: unitOf, concept, words } = reading;
  let word = 0;
  return scores.above(model.threshold - OVERRIDE_GATE, reading.units, model).filter((unit) => {
    if (scores.of(unit, model) > model.threshold - RULE_GATE) return true;
    let halves = 0;
    while (unitOf[word]! < unit) word++;
    for (; word < words && unitOf[word] === unit; word++) halves |= halfOf(concept[word]!);
    return halves === BOTH_HALVES;
  });
}
