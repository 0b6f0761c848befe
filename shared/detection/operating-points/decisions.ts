import { point } from './point.ts';

/** The confidences from which presets act, and their shifts by use case. */
export const DECISION = {
  attackStrict: point(0.25, 'threshold of attacks, strict', 'real sessions'),
  attackModerate: point(0.5, 'threshold of attacks, moderate', 'real sessions'),
  attackPermissive: point(0.8, 'threshold of attacks, permissive', 'real sessions'),
  callStrict: point(
    0.35,
    'threshold of tool calls that no task needs, strict; else that of attacks',
    'no record',
  ),
  sensitiveStrict: point(0.4, 'threshold of personal data and secrets, strict', 'no record'),
  sensitiveModerate: point(0.5, 'threshold of personal data and secrets, moderate', 'no record'),
  sensitivePermissive: point(0.7, 'threshold of personal data and secrets, permissive', 'no record'),
  attackShiftOfSupport: point(-0.05, 'shift of attacks: strangers write to support bots', 'no record'),
  attackShiftOfCode: point(0.05, 'shift of attacks: code and logs look odd', 'no record'),
  attackShiftOfData: point(-0.05, 'shift of attacks: what is retrieved is by others', 'no record'),
  attackShiftOfFiction: point(0.1, 'shift of attacks: stories contain orders', 'no record'),
  callShiftOfCode: point(0.3, 'shift of tool calls: developers install tools and schedule jobs', 'no record'),
  leastOfInput: point(0.1, 'lowest threshold after shifts', 'no record'),
  leastOfOutput: point(
    0.7,
    'the same for responses, which discuss attacks more often than they contain one',
    'no record',
  ),
  most: point(0.95, 'highest threshold after shifts: a certain attack is always acted on', 'no record'),
  leastFinding: point(0.2, 'lower confidences of learned models are not worth storing', 'no record'),
  certainOverride: point(
    0.9,
    'an override means the developer’s instructions, not the work ("ignore the folder")',
    'no record',
  ),
  leastShareShown: point(0.005, 'a reading with a smaller share of the odds is not shown', 'no record'),
  mostForOdds: point(0.999, 'highest confidence that is turned into odds', 'arithmetic'),
} as const;
