import type { DefinedTool } from '../providers/index.ts';
import { bareToolName, nameWords, type Steps } from '../text/index.ts';
import { argumentClass } from './argument-classes.ts';
import { type ArgumentField, argumentFields } from './argument-fields.ts';
import { isAddress, isGuardedPath, namesRecipient } from './argument-values.ts';
import type { Effect, TracedCall } from './types.ts';

/** Verbs that determine a tool's effect, at any position in its name. */
const VERBS: Readonly<Record<Effect, string>> = {
  send: 'send reply forward sms fax notify dm tweet toot submit fill respond dispatch broadcast dial rsvp print enviar senden envoyer inviare envia schicke',
  publish:
    'publish install import post upload push deploy release webhook put sync export replicate mirror curl publicar publier veroeffentlichen subir hochladen',
  pay: 'pay bid transfer purchase buy order checkout donate refund withdraw wire charge remit deposit payout pagar payer bezahlen transferir ueberweisen ueberweisung uberweisung virement bonifico',
  share:
    'share invite grant authorize approve delegate permit assign compartir partager teilen freigeben einladen inviter invitar',
  execute: 'execute exec run shell bash terminal powershell eval spawn sh zsh cmd ssh python repl',
  delete:
    'delete remove rm trash drop destroy unlink purge erase wipe revoke terminate kill uninstall overwrite eliminar borrar supprimer loeschen eliminare',
};
/** Objects that imply an effect without a verb: `email`, `message`. */
const NOUNS: Readonly<Partial<Record<Effect, string>>> = {
  send: 'email mail message slack discord',
  publish: 'comment',
  pay: 'payment transaction',
  share: 'permission permissions',
  execute: 'command interpreter execution script code',
};
/** Verbs written together with their object. */
const TOGETHER =
  /^(send|post|delete|remove|share|invite|transfer|upload|publish|forward|pay|notify|execute|run)(?=(?:e?mail|sms|message|text|money|funds|payment|file|user|member|document|event|command|code|invoice|bill)s?$)/;
/** Verbs that change something, and objects that others can see or reach: `create_page`, `register_callback`. */
const CHANGING = new Set(
  'add append change configure create edit enable insert modify extract register save set subscribe update write'.split(
    ' ',
  ),
);
/** Verbs after which an address becomes the target of later traffic. */
const SETTING =
  /^(?:add|change|configure|backup|connect|enable|export|migrate|mirror|replicate|modify|register|set|subscribe|update)$/;
const SEEN_BY_OTHERS = new Set(
  'admin article blog bank callback sshkey collaborator connector credentials dns filter forwarding gist hook integration issue listing member owner page payee payout pr pull recovery redirect rule server snippet ticket wiki'.split(
    ' ',
  ),
);
/** Verbs that only read. The first meaningful word decides: `get_payment`, `read_message`. */
const READING =
  'get list search read find fetch lookup query view show check browse open navigate describe count download retrieve scrape load history status info details inbox logs log preview validate verify summarize analyze calculate compute convert estimate compare simulate screenshot snapshot wait think plan inspect locate resolve trace assess filter audit monitor reconcile group watch examine identify track explain diff sort rank classify detect';

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
 * Returns the effect of a tool on others: by the project's setting (`isEffectTool`), its name, its annotations,
 * parameters that name a recipient or a command, or arguments that are addresses of people. Null: it only reads, or
 * changes the caller's own data.
 */
export function* callEffect(
  { name: toolName, arguments: given }: TracedCall,
  definition: DefinedTool | undefined,
  isEffectTool: (name: string) => boolean,
): Steps<Effect | null> {
  if (isProgram(toolName)) return 'execute';
  const byName = yield* effectOfName(toolName, given);
  if (byName !== null && byName !== 'reads') return byName;
  if (isEffectTool(toolName)) return 'send';
  if (isWritingRequest(given)) return 'publish';
  if (definition?.isDestructive === true) return 'delete';
  if (byName === 'reads') return Object.keys(given).some(isSql) ? 'execute' : null;
  return yield* effectOfArguments(toolName, given, definition?.parameters ?? []);
}

/** Determines the effect of a tool with an uninformative name by its arguments. */
function* effectOfArguments(
  toolName: string,
  given: TracedCall['arguments'],
  defined: readonly string[],
): Steps<Effect | null> {
  const words = nameWords(bareToolName(toolName));
  const parameters = [...Object.keys(given), ...defined];
  const classes = parameters.map(argumentClass);
  if (classes.includes('recipient')) return 'send';
  if (classes.includes('command')) return 'execute';
  const fields = yield* argumentFields(given);
  const isSetting = words.some((word) => SETTING.test(word));
  if (isSetting && (classes.includes('address') || (yield* someOf(fields, isPlace)))) return 'publish';
  if (yield* someOf(fields, ({ text }) => namesRecipient(text))) return 'send';
  const isWritten = words.some((word) => CHANGING.has(word));
  return isWritten && fields.some((one) => one.class === 'path' && isGuardedPath(one.text)) ? 'delete' : null;
}

/** True if the whole text is an address, whatever the parameter's name. */
const isPlace = ({ class: named, text }: ArgumentField): boolean =>
  (named === null || named === 'path' || named === 'amount') && isAddress(text);

/** True for programs that are tools themselves and take a list of words. */
export const isProgram = (toolName: string): boolean =>
  /^(?:kubectl|helm|docker|terraform|aws|gcloud|az|gh)$/i.test(bareToolName(toolName));

/** True for HTTP requests whose method changes something at the target. */
const isWritingRequest = ({ method }: TracedCall['arguments']): boolean =>
  typeof method === 'string' && /^(?:post|put|patch|delete)$/i.test(method);

/** A SQL parameter may contain a statement that changes data. */
const isSql = (name: string): boolean => /^(?:sql|statement)$/i.test(name);

/** Parameters that move money, whatever the tool's name. */
const MONEY = /^(?:currency|valuta|devise|moneda|moeda|waehrung|waluta)$/;
function* movesMoney(given: TracedCall['arguments']): Steps<boolean> {
  return yield* someOf(yield* argumentFields(given), ({ path }) => MONEY.test(nameWords(path).at(-1) ?? ''));
}

function* someOf<T>(items: readonly T[], test: (item: T) => boolean): Steps<boolean> {
  for (const [index, item] of items.entries()) {
    if (test(item)) return true;
    if (index % STRIDE === STRIDE - 1) yield;
  }
  return false;
}

/** Fields between two pauses. */
const STRIDE = 64;

function* effectOfName(toolName: string, given: TracedCall['arguments']): Steps<Effect | 'reads' | null> {
  const effect = effectOfWords(toolName);
  return effect !== 'reads' && effect !== 'delete' && (yield* movesMoney(given)) ? 'pay' : effect;
}

/** Logging in names the user's own account. */
const SIGNS_IN = /^(?:log ?in|sign ?in|login user|user login|authenticate(?: user)?)$/;

function effectOfWords(toolName: string): Effect | 'reads' | null {
  const name = bareToolName(toolName);
  if (SIGNS_IN.test(nameWords(name).join(' '))) return 'reads';
  // An SSH key is a thing, not the program.
  const words = nameWords(
    nameWords(name)
      .join(' ')
      .replace(/\bssh keys?\b/, 'sshkey'),
  );
  let noun: Effect | null = null;
  let isChanging = false;
  for (const word of words) {
    const verb = EFFECT_OF_VERB.get(TOGETHER.exec(word)?.[1] ?? word);
    if (verb !== undefined) return verb;
    if (isChanging && SEEN_BY_OTHERS.has(word)) return 'publish';
    isChanging ||= CHANGING.has(word);
    if (READS.has(word) && !isChanging) return 'reads';
    noun ??= EFFECT_OF_NOUN.get(word) ?? null;
  }
  return noun;
}
