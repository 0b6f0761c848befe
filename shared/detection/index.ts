/**
 * The engine: slots in, findings with offsets out. Pure, linear in the text, never throws on a string. Called by the
 * cloud's flows and, offline, by the desktop's inspect module. Never touches disk, network, clock or logger, and never
 * returns the text it matched.
 */
export { attackScore, MIN_ATTACK_SCORE } from './attack-score.ts';
export { attributeFindings, attributeFindingsInSteps } from './attribute-findings.ts';
export { conversationContext, piecesBefore } from './conversation-context.ts';
// For the gates of live streams (`streaming/`): what recognizers state, and the words that they read.
export { CODE_WORDS } from './detectors/active-content.ts';
export { guardingIndexes } from './detectors/guarded-questions.ts';
export { createRepetitionCheck, type RepetitionCheck } from './detectors/repetition-check.ts';
export { createTaskReader, taskIndexes, taskIndexesInSteps, taskTextOf } from './detectors/user-task.ts';
export { type ScanOptions, type SlotMemory, scan } from './engine.ts';
export {
  coversThreat,
  type ExceptionScope,
  exceptedTypes,
  hostName,
  type NamedPolicy,
} from './exception-scope.ts';
export {
  type GateReach,
  KEY_HEADS,
  MAX_PHRASE,
  MAX_WINDOW,
  PHRASES,
  REACH_OF_ALL,
  REACH_OF_KEYS,
  reachOfPhrase,
} from './live-reach.ts';
export { foldLookAlikes } from './normalize/fold-words.ts';
export { reversed } from './normalize/letter-shifts.ts';
export { normalizeText, originalRange } from './normalize/normalize-text.ts';
export { CARE, PLAIN } from './normalize/tables.ts';
export { markedPassages } from './passages/marked-passages.ts';
export { ruleFileRanges } from './passages/rule-files.ts';
export { CHAR_CLASS, DIGIT, LETTER, TOKEN_EXTRA } from './pii/char-class.ts';
export type { SensitiveSpan } from './pii/find-sensitive.ts';
export { hasIbanCheckDigits } from './pii/opt-in/iban.ts';
export {
  OPT_IN_TYPES,
  type OptInType,
  optInReach,
  SENSITIVE_TYPES,
  type SensitiveType,
  sensitiveRow,
  sensitiveTypeOfRule,
} from './pii/registry.ts';
export { COMMON_AT_WORDS, DOT_WORDS, RARE_AT_WORDS, spelledEmails } from './pii/spelled-email.ts';
export { compileAllowedValues } from './policies/allowed-values.ts';
export { type CheckedPattern, checkPattern } from './policies/check-pattern.ts';
export {
  compileContext,
  isSituational,
  matchesDirection,
  matchesPattern,
  type PolicyContext,
  textRoleOf,
} from './policies/conditions.ts';
export { compileCustom, policyOfRule } from './policies/custom-rules.ts';
export { normalDomain } from './policies/domains.ts';
export { isTimeZone } from './policies/schedule.ts';
export {
  type DefaultPolicy,
  defaultPolicies,
  listPresets,
  type Preset,
  parsePreset,
} from './presets.ts';
export { piiSpans, type RedactResult, redactPii } from './redact-pii.ts';
export { DISCLOSURE } from './rules/markup.ts';
export {
  compileRuleset,
  decideFinding,
  MIN_CONFIDENCE,
  type Ruleset,
  resolveRuleset,
  thresholdOf,
} from './ruleset.ts';
export type { Finding, PolicyInput, RulesetInput } from './types.ts';
export { UnscannableTextError } from './unscannable-text.ts';
export { type ReadingShare, readingShares, type WeighedWord, weighWords } from './weigh-words.ts';
export { mergeWithheld, union, WITHHELD } from './withheld-ranges.ts';
export { Workspace } from './workspace.ts';
