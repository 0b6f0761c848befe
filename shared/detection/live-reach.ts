import { ATTACK_DETECTORS } from './engine.ts';
import { READINGS } from './pii/find-sensitive.ts';
import { SENSITIVE_TYPES } from './pii/registry.ts';
import { type LiveReach, NOT_IN_RESPONSES, type SentenceReach } from './reach.ts';
import { RULE_SETS } from './rules/index.ts';
import { SECRET_KINDS } from './secrets/kinds.ts';

/** The maximum text that is read again; a row that reaches further ends the release. */
export const MAX_WINDOW = 8_192;

/** What the rows state, as a gate reads it for every word of a stream. */
export interface GateReach {
  /** Signs of findings that only the end of the text ends. */
  readonly endless: RegExp;
  /** Signs within plain words, too: what names a secret. */
  readonly names: RegExp;
  readonly afterName: number;
  readonly afterOddWord: number;
  readonly afterMixedWord: number;
  readonly afterApart: number;
  /** Signs of what only a scan finds: addresses that are loaded. */
  readonly markup: RegExp;
  readonly afterMarkup: number;
  /** How far before a sign a finding may begin. */
  readonly before: number;
  /** How far before an odd word text takes part. */
  readonly beforeOddWord: number;
  readonly counted: readonly NonNullable<LiveReach['counted']>[];
}

const SECRETS = SENSITIVE_TYPES.filter(({ type }) => type === 'api_key').flatMap(reachesOf);
const PERSONAL = SENSITIVE_TYPES.filter(({ type }) => type !== 'api_key').flatMap(reachesOf);
const READ = READINGS.map(({ reach }) => reach);
const DETECTED = ATTACK_DETECTORS.flatMap(({ reach }) => (reach === NOT_IN_RESPONSES ? [] : reach));
const SENTENCES: ReadonlyMap<string, SentenceReach> = new Map(
  RULE_SETS.answers.flatMap(({ reach }) => reach.phrases.map((phrase) => [phrase, reach] as const)),
);

/** The phrases of rules for responses, after whitespace became spaces. */
export const PHRASES = new RegExp([...SENTENCES.keys()].join('|'), 'g');
export const MAX_PHRASE = Math.max(...[...SENTENCES.keys()].map(({ length }) => length));
export const reachOfPhrase = (phrase: string): SentenceReach => SENTENCES.get(phrase)!;
const BEFORE_PHRASE = Math.max(...[...SENTENCES.values()].map(({ before }) => before));

/** The prefixes of keys. */
export const KEY_HEADS: readonly string[] = SECRET_KINDS.map(({ form }) =>
  /^[A-Za-z]*/.exec(form)![0].toLowerCase(),
);

/** If keys are the only findings, personal data reaches nowhere. */
export const REACH_OF_KEYS = gateReach([...SECRETS, ...READ]);
export const REACH_OF_ALL = gateReach([...SECRETS, ...READ, ...PERSONAL]);

function reachesOf({ recognizers }: (typeof SENSITIVE_TYPES)[number]): readonly LiveReach[] {
  return recognizers.map(({ reach }) => reach);
}

function gateReach(values: readonly LiveReach[]): GateReach {
  const isEndless = ({ after }: LiveReach): boolean => after > MAX_WINDOW;
  const finite = values.filter((row) => !isEndless(row));
  const signed = finite.filter(({ sign }) => sign instanceof RegExp);
  const detected = DETECTED.filter((row) => !isEndless(row));
  const markup = detected.filter(({ sign }) => sign instanceof RegExp);
  const odd = [...finite, ...detected].filter(({ sign }) => sign === 'an odd word');
  return {
    endless: anyOf([...values, ...DETECTED].filter(isEndless)),
    names: anyOf(signed),
    afterName: afterOf(signed),
    afterOddWord: afterOf(odd),
    afterMixedWord: afterOf(finite.filter(({ sign }) => sign === 'a mixed word')),
    afterApart: afterOf(finite.filter(({ sign }) => sign === 'characters apart')),
    markup: anyOf(markup),
    afterMarkup: afterOf(markup),
    before: Math.max(BEFORE_PHRASE, ...[...finite, ...detected].map(({ before }) => before)),
    beforeOddWord: Math.max(...odd.map(({ before }) => before)),
    // types may share a recognizer
    counted: [...new Set(values.flatMap(({ counted }) => counted ?? []))],
  };
}

function afterOf(rows: readonly LiveReach[]): number {
  return Math.max(0, ...rows.map(({ after }) => after));
}

function anyOf(rows: readonly LiveReach[]): RegExp {
  return new RegExp(rows.map(({ sign }) => (sign as RegExp).source).join('|'), 'i');
}
