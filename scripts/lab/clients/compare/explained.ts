import type { Compared, Difference, Way } from './differences.ts';
import { TASKS } from './tasks.ts';

/** A difference that is known: it fails no run, and its absence does. */
interface Explained {
  readonly client: string;
  /** Absent: every version that is compared. */
  readonly versions?: readonly string[];
  readonly tasks: readonly string[];
  readonly way: Way;
  readonly what: readonly Difference['what'][];
  /** What the details say; absent: anything. */
  readonly detail?: RegExp;
  readonly why: string;
}

const OWN_CODE =
  'Codex reads `error.code`, which is the gateway’s own on all routes but Gemini’s; the provider’s stands in `error.provider_code`.';
const PRINTS_ERROR =
  'It prints the error object, in which the gateway’s members stand beside the provider’s.';
const OLD_CLAUDE = { client: 'Claude Code', versions: ['2.0.56'] };
/** Tasks in which it reads a file with its own tool. */
const READING = ['rule file', 'edit', 'failing test', 'plan mode', 'resume', 'compaction'];
const SUMMARY =
  'Open: its request for a summary of the conversation is taken for one for the system prompt (learned).';
const FILE_REMINDER =
  'Open: it puts a reminder about malware behind each file that it reads, inside the tool’s result, which is read as data and withheld.';

const EXPLAINED: readonly Explained[] = [
  {
    ...{ client: 'Codex', versions: ['0.171.0'], tasks: ['error: overload'] },
    ...{ way: 'gateway', what: ['calls', 'shown'] },
    why: `${OWN_CODE} So it tries again as often as its settings allow.`,
  },
  {
    ...{ client: 'Codex', versions: ['0.171.0'], tasks: ['error: context length', 'error: credit'] },
    ...{ way: 'gateway', what: ['shown'] },
    why: `${OWN_CODE} It shows the provider’s whole message in another form.`,
  },
  {
    ...{ client: 'Codex', versions: ['0.77.0'], way: 'gateway', what: ['shown'] },
    tasks: ['quota', 'overload', 'context length', 'credit', 'invalid image'].map((kind) => `error: ${kind}`),
    why: PRINTS_ERROR,
  },
  {
    client: 'Gemini CLI',
    tasks: ['error: overload', 'error: context length', 'error: invalid image'],
    ...{ way: 'gateway', what: ['shown'] },
    why: PRINTS_ERROR,
  },
  {
    ...{ client: 'Gemini CLI', versions: ['0.19.1'], tasks: ['error: credit'] },
    ...{ way: 'gateway', what: ['shown'] },
    why: PRINTS_ERROR,
  },
  {
    ...{ ...OLD_CLAUDE, tasks: READING, way: 'gateway', what: ['body'], detail: /system-reminder/ },
    why: FILE_REMINDER,
  },
  {
    ...{ ...OLD_CLAUDE, tasks: ['compaction'], way: 'gateway', what: ['missing', 'calls', 'shown'] },
    why: SUMMARY,
  },
  {
    ...{ ...OLD_CLAUDE, tasks: ['error: quota', 'error: invalid image'], way: 'gateway', what: ['shown'] },
    why: PRINTS_ERROR,
  },
  {
    ...{ ...OLD_CLAUDE, tasks: READING, way: 'device', what: ['missing', 'calls', 'shown'] },
    why: `${FILE_REMINDER} A device refuses the request.`,
  },
  ...(['gateway', 'device'] as const).flatMap((way): Explained[] => [
    {
      ...{ ...OLD_CLAUDE, tasks: ['git log', 'web page'], way, what: ['body'], detail: /\[EMAI?/ },
      why: 'It also asks about a command’s output in a request without tools, in which addresses are masked as in any chat.',
    },
    {
      ...{ client: 'opencode', versions: ['1.1.16'], tasks: ['compaction'] },
      ...{ way, what: ['missing', 'calls', 'shown'] },
      why: SUMMARY,
    },
  ]),
  ...(['gateway', 'device'] as const).map(
    (way): Explained => ({
      ...{ client: 'Continue', tasks: TASKS.map(({ name }) => name).filter((name) => name !== 'plan mode') },
      ...{ way, what: ['body'], detail: /Co-Authored-By/ },
      why: 'Open: the address of its commit trailer, which its system prompt names, is masked.',
    }),
  ),
];

/** Returns why a difference is no fault; null: nobody knows. */
export function explanationOf(compared: Compared, way: Way, difference: Difference): string | null {
  return ofTask(compared, way).find((one) => isOf(one, difference))?.why ?? null;
}

/** Returns the explanations of a task that nothing differs by any more. */
export function staleIn(compared: Compared): string[] {
  return (Object.keys(compared.differences) as Way[]).flatMap((way) =>
    ofTask(compared, way)
      .filter((one) => !(compared.differences[way] ?? []).some((difference) => isOf(one, difference)))
      .map(({ why }) => `${way}: ${why}`),
  );
}

function ofTask({ client, version, task }: Compared, way: Way): Explained[] {
  return EXPLAINED.filter(
    (one) =>
      one.client === client &&
      one.way === way &&
      one.tasks.includes(task) &&
      (one.versions ?? [version]).includes(version),
  );
}

const isOf = ({ what, detail }: Explained, difference: Difference): boolean =>
  what.includes(difference.what) && (detail?.test(difference.detail) ?? true);
