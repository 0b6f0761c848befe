/** Words that make a sentence or a name hard to read, with replacements (the check of `check-language.ts`). */
export interface BannedPattern {
  readonly pattern: RegExp;
  readonly instead: string;
  /** Only in files below this folder. */
  readonly under?: string;
}

/** Parts of a camelCase name, in lower case. */
export const BANNED_NAME_PARTS: Readonly<Record<string, string>> = {
  told: 'notified, systemSlots, sentAlerts: a name of the content',
  tell: 'notify, report',
  said: 'output, body',
  wish: 'input',
  deed: 'span, action',
  desk: 'dashboard',
  courier: 'dispatcher',
  hear: 'onMessage',
  poke: 'flush',
  evenly: 'withMinimumDuration',
  excuse: 'except, exception',
  resolveRuleset: 'resolve',
  mood: 'sentenceType',
  relief: 'scoreReduction',
  toll: 'penalty',
  nought: 'zero',
  spelt: 'spelled',
  colour: 'color',
  heir: 'successor',
  furnish: 'seed',
  strand: 'accumulator',
  nobody: 'the actor',
  somebody: 'the actor',
  anybody: 'the actor',
};

const ACTORLESS: BannedPattern = {
  pattern: /\b([Nn]o|[Ss]ome|[Aa]ny)body\b|\b[Ww]hoever\b/g,
  instead: 'name the actor: the client, an admin, the operator',
};

/** In documents, and in strings that have a space in them. */
export const BANNED_IN_SENTENCES: readonly BannedPattern[] = [
  ACTORLESS,
  { pattern: /\b(is|are|was|be) told\b/g, instead: 'notified' },
  { pattern: /\bfire[sd]\b/g, instead: 'match' },
  { pattern: /\b[Mm]achines?\b/g, instead: 'device', under: 'apps/cloud/dashboard/' },
  { pattern: /\b[Ee]-mail|\b[Mm]ail(s|ed)?\b/g, instead: 'email' },
  { pattern: /\b[Ss]ervice key/g, instead: 'API key' },
  { pattern: /\bat once\b/g, instead: 'immediately' },
  { pattern: /\bgo(es)? on\b/g, instead: 'continue' },
  { pattern: /\blet (it )?(through|pass)\b/g, instead: 'allow' },
  { pattern: /\b[Ss]witch\w* (it )?o(n|ff)\b/g, instead: 'enable, disable' },
  { pattern: /\bof now\b/g, instead: 'current' },
  { pattern: /[\d}] %/g, instead: 'no space before %' },
];

export const BANNED_IN_COMMENTS: readonly BannedPattern[] = [
  { pattern: /(^|\. )Where (it|there|they|no)\b/gm, instead: 'If' },
  ACTORLESS,
];
