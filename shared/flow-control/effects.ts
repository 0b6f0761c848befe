import type { DefinedTool } from '../providers/index.ts';
import { bareToolName, matchesTool, nameWords } from '../text/index.ts';
import { argumentClass } from './argument-classes.ts';
import type { Effect, TracedCall } from './types.ts';

/** Verbs that say what a tool does, wherever they stand in its name. */
const VERBS: Readonly<Record<Effect, string>> = {
  send: 'send reply forward sms notify dm tweet toot submit respond dispatch broadcast',
  publish: 'publish post upload push deploy release webhook sync curl',
  pay: 'pay transfer purchase buy checkout donate refund withdraw wire charge remit deposit',
  share: 'share invite grant authorize permit assign',
  execute: 'execute exec run shell bash terminal powershell eval spawn sh zsh cmd ssh python repl',
  delete: 'delete remove rm drop destroy unlink purge erase wipe revoke terminate kill uninstall overwrite',
};
/** Things that a tool without another verb does something to: `email`, `message`. */
const NOUNS: Readonly<Partial<Record<Effect, string>>> = {
  send: 'email mail message slack discord',
  publish: 'comment',
  pay: 'payment transaction',
  share: 'permission permissions',
  execute: 'command interpreter execution script code',
};
/** What only looks. The first word that says something decides: `get_payment`, `read_message`. */
const READING =
  'get list search read find fetch lookup query view show check browse open navigate describe count download retrieve scrape load history status info details inbox logs log preview validate verify summarize analyze screenshot snapshot wait think plan';

const byWord = (table: Readonly<Partial<Record<Effect, string>>>): ReadonlyMap<string, Effect> =>
  new Map(
    Object.entries(table).flatMap(([effect, words]) =>
      words.split(' ').map((word) => [word, effect as Effect] as const),
    ),
  );
const EFFECT_OF_VERB = byWord(VERBS);
const EFFECT_OF_NOUN = byWord(NOUNS);
const READS = new Set(READING.split(' '));

/**
 * What a tool does to others: as the project says (`effectTools`), by its name, by its annotations, or by parameters
 * that name a recipient. Null: it only reads, or changes what is the caller's own.
 */
export function callEffect(
  { name: toolName, arguments: given }: TracedCall,
  definition: DefinedTool | undefined,
  effectTools: readonly string[],
): Effect | null {
  const byName = effectOfName(toolName);
  if (byName !== null && byName !== 'reads') return byName;
  if (matchesTool(toolName, effectTools)) return 'send';
  if (definition?.isDestructive === true) return 'delete';
  if (byName === 'reads') return null;
  const parameters = [...Object.keys(given), ...(definition?.parameters ?? [])];
  return parameters.some((name) => argumentClass(name) === 'recipient') ? 'send' : null;
}

function effectOfName(toolName: string): Effect | 'reads' | null {
  const words = nameWords(bareToolName(toolName));
  let noun: Effect | null = null;
  for (const word of words) {
    const verb = EFFECT_OF_VERB.get(word);
    if (verb !== undefined) return verb;
    if (READS.has(word)) return 'reads';
    noun ??= EFFECT_OF_NOUN.get(word) ?? null;
  }
  return noun;
}
