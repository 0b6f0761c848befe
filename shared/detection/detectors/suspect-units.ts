import type { ReadingModel } from '../model/weights.ts';
import { ATTACK } from '../operating-points/attacks.ts';
import { RULE_SETS } from '../rules/index.ts';
import { createMatcher, type RuleHit } from '../rules/match-rules.ts';
import type { ScoringTables } from '../workspace.ts';
import { BOTH_HALVES, halfOf } from './attack-type.ts';

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
  return scores.above(model.threshold - ATTACK.overrideGate, reading.units, model).filter((unit) => {
    if (scores.of(unit, model) > model.threshold - ATTACK.ruleGate) return true;
    let halves = 0;
    while (unitOf[word]! < unit) word++;
    for (; word < words && unitOf[word] === unit; word++) halves |= halfOf(concept[word]!);
    return halves === BOTH_HALVES;
  });
}
