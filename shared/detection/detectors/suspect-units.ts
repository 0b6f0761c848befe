import type { ReadingModel } from '../model/weights.ts';
import { RULE_SETS } from '../rules/index.ts';
import { createMatcher, type RuleHit } from '../rules/match-rules.ts';
import type { ScoringTables } from '../workspace.ts';
import { BOTH_HALVES, halfOf } from './attack-type.ts';

/** Rules are tried on units that the model does not hold for plainly harmless: this far below its threshold. Log-odds. */
const RULE_GATE = 1;
/** Where a unit has both halves of an override, its words may be in a bad sentence's company and still count. */
const OVERRIDE_GATE = 5;
const MAX_RULE_PIECE = 700;

const matchRules = createMatcher(RULE_SETS.attacks);

/** Tries the rules on suspect units, each with the unit after it; what was tried already is not tried again. */
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

/** Units that rules are tried on, in order; after `bestWindow`. */
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
