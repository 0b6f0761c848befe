/**
 * The decision: facts in, a verdict out. One list of steps decides on texts and tool calls, in the service and on
 * devices. Pure: what a step has to know and nobody told it, its runner asks for.
 */
export type { Calls, Hold, Listings, ListName, Traces } from './calls.ts';
export { type AskFor, decide, decideNow, NO_ANSWERS, STEPS, type Step } from './decide.ts';
export type {
  Answers,
  Delivery,
  DirectedFindings,
  EndpointAnswer,
  Exceptions,
  Facts,
  Question,
  Refused,
  ReviewAnswer,
  Rules,
  Scan,
  ServiceAnswer,
  ServiceVerdict,
  Texts,
} from './facts.ts';
export { holdsOf, listingsOf } from './held-calls.ts';
export { decideFindings } from './judge-findings.ts';
export { unscannable } from './steps/unscannable.ts';
export { taintedTexts } from './tainted-texts.ts';
export { rulesOfPreset, type TriedRules, type TriedTexts, triedFacts, triedText } from './try-texts.ts';
export {
  EMPTY_VERDICT,
  type Excepted,
  type Judged,
  type Masked,
  tighten,
  type Verdict,
} from './verdict.ts';
export { isWorking, toldWorkingData, type WorkingData, workingData } from './working-data.ts';
