import type { Compared, Way } from './compare.ts';
import type { Difference } from './differences.ts';

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

const EXPLAINED: readonly Explained[] = [
  {
    ...{ client: 'Codex', tasks: ['error: overload'], way: 'gateway', what: ['calls', 'shown'] },
    why: `${OWN_CODE} So it tries again as often as its settings allow.`,
  },
  {
    ...{ client: 'Codex', tasks: ['error: context length', 'error: credit'] },
    ...{ way: 'gateway', what: ['shown'] },
    why: `${OWN_CODE} It shows the provider’s whole message in another form.`,
  },
  {
    client: 'Gemini CLI',
    tasks: ['error: overload', 'error: context length', 'error: invalid image'],
    ...{ way: 'gateway', what: ['shown'] },
    why: 'It prints the error object, in which the gateway’s members stand beside the provider’s.',
  },
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
