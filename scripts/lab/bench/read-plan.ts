import { readOptions } from '../../options.ts';
import { FIELDS } from './measure-gateways.ts';

const PARTS = [
  'engine',
  'record',
  ...Object.keys(FIELDS),
  'latency',
  'held',
  'blocks',
  'replicas',
  'scale',
  'desktop',
  'flames',
];
/** Parts that are measured without the other gateways. */
export const ALONE = ['engine', 'record', 'desktop', 'blocks', 'replicas', 'scale', 'flames'];
/** Parts and targets that the quick profile skips. */
export const NOT_QUICK = [
  ...['waiting', 'held', 'blocks', 'replicas', 'scale', 'desktop', 'flames'],
  ...['history', 'session', 'scan alone', 'portkey, regex', 'nginx', 'ours, as it comes'],
];

export interface BenchPlan {
  readonly profile: 'quick' | 'full';
  readonly parts: readonly string[];
  /** Parts that were excluded by name. */
  readonly without: readonly string[];
  /** `all`: the whole run; `flames`: only its charts. */
  readonly write: 'all' | 'flames' | 'nothing';
}

/** Throws one sentence if the arguments are invalid. */
export function readPlan(args: readonly string[]): BenchPlan {
  const values = readOptions(
    {
      command: 'npm run bench --',
      about: 'Measures this gateway and comparable products, and writes docs/benchmarks.',
      options: {
        quick: { type: 'boolean', help: 'Shorter runs, without the long measurements' },
        only: {
          type: 'string',
          value: 'PARTS',
          help: `Only these parts, separated by commas: ${PARTS.join(', ')}`,
        },
        without: { type: 'string', value: 'PARTS', help: 'All parts except these' },
        'no-write': { type: 'boolean', help: 'Print the results, write no files' },
      },
    },
    args,
  );
  const profile = values.quick ? 'quick' : 'full';
  const usual = values.quick ? PARTS.filter((part) => !NOT_QUICK.includes(part)) : PARTS;
  const chosen = values.only === undefined ? usual : partsOf('--only', values.only);
  const left = values.without === undefined ? [] : partsOf('--without', values.without);
  const parts = chosen.filter((part) => !left.includes(part));
  if (parts.length === 0) throw new Error('--without excludes every part.');
  const whole = values.only === undefined ? 'all' : values.only === 'flames' ? 'flames' : 'nothing';
  return {
    profile,
    parts,
    without: chosen.filter((part) => left.includes(part)),
    write: values['no-write'] ? 'nothing' : whole,
  };
}

function partsOf(option: string, list: string): string[] {
  const names = list.split(',');
  const unknown = names.filter((name) => !PARTS.includes(name));
  if (unknown.length === 0) return names;
  throw new Error(
    `${option} accepts ${PARTS.join(', ')}; not ${unknown.map((name) => `'${name}'`).join(', ')}.`,
  );
}
