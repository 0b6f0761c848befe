import { styleText } from 'node:util';
import { decideNow, rulesOfPreset, triedFacts, triedText, type Verdict } from '@csg/shared/decision';
import {
  compileRuleset,
  listPresets,
  type Preset,
  parsePreset,
  type ReadingShare,
  readingShares,
  scan,
  type WeighedWord,
  Workspace,
  weighWords,
} from '@csg/shared/detection';
import { SLOT_ROLES, type SlotRole } from '@csg/shared/text';
import { type Command, InvalidArgumentError } from 'commander';
import type { Shell } from '../run-process.ts';
import { parseOneOf } from './parse-option.ts';

const DEFAULT_PRESET: Preset = { useCase: 'default', strictness: 'moderate' };

/** Styles are applied only on a terminal. */
type Style = (format: Parameters<typeof styleText>[0], text: string) => string;

interface ExplainOptions {
  readonly role: SlotRole;
  readonly preset?: Preset;
  readonly output?: boolean;
}

/** Shows how the engine evaluates a text: decision, findings and the weight of each word. Stores nothing. */
export function addExplainCommand(program: Command, shell: Shell): void {
  program
    .command('explain <text...>')
    .description('show the rules that match a text, where they match, and the weight of each word')
    .option('--role <role>', `author of the text: ${SLOT_ROLES.join(', ')}`, parseOneOf(SLOT_ROLES), 'user')
    .option(
      '--preset <preset>',
      'such as strict or support_bot:moderate (default: default:moderate)',
      parsePresetOption,
    )
    .option('--output', 'evaluate the text as a response of a model')
    .action((words: string[], options: ExplainOptions) => {
      const text = words.join(' ');
      const explanation = explain(text, options);
      const style: Style = (format, part) => styleText(format, part, { stream: shell.stdout });
      shell.stdout.write(`${describe(text, explanation, style)}\n`);
    });
}

function parsePresetOption(name: string): Preset {
  const preset = parsePreset(name);
  if (preset === undefined) throw new InvalidArgumentError(`Presets are ${listPresets().join(', ')}.`);
  return preset;
}

const DECISION_STYLES = { allow: 'green', redact: 'yellow', block: 'red' } as const;

interface Explanation {
  readonly verdict: Verdict;
  readonly readings: readonly ReadingShare[];
  readonly words: readonly WeighedWord[];
}

/** Takes guard's decision, and weighs what it rests on. */
function explain(text: string, { role, preset = DEFAULT_PRESET, output }: ExplainOptions): Explanation {
  const ruleset = compileRuleset({ ...preset, policies: [] });
  const workspace = new Workspace();
  const tried = triedText(text, role, output === true ? 'output' : undefined);
  const { conversation, direction } = tried;
  const findings = scan(conversation.slots, ruleset, direction, { workspace });
  const verdict = decideNow(triedFacts(tried, findings, rulesOfPreset(ruleset, preset.strictness)));
  const [slot] = conversation.slots;
  const isAttack = verdict.findings.some(({ pii }) => pii === undefined);
  if (slot === undefined || !isAttack) return { verdict, readings: [], words: [] };
  const weighed = [slot, ruleset, direction, workspace] as const;
  return { verdict, readings: readingShares(...weighed), words: [...weighWords(...weighed)] };
}

/** Colors words that indicate an attack red, those that speak against one green; strong ones are bold. */
function paint(text: string, words: readonly WeighedWord[], style: Style): string {
  let out = '';
  let at = 0;
  for (const { start, end, weight } of words) {
    if (start < at) continue;
    const word = text.slice(start, end);
    const strength = Math.abs(weight);
    const color = weight > 0 ? 'red' : 'green';
    const painted = strength < 0.3 ? word : style(strength > 1 ? ['bold', color] : color, word);
    out += style('dim', text.slice(at, start)) + painted;
    at = end;
  }
  return out + style('dim', text.slice(at));
}

function describe(text: string, explanation: Explanation, style: Style): string {
  const { verdict } = explanation;
  const lines = [
    `${style(['bold', DECISION_STYLES[verdict.decision]], verdict.decision.toUpperCase())}  ${verdict.threatType ?? 'nothing found'}  ${verdict.confidence.toFixed(2)}`,
    '',
  ];
  for (const finding of verdict.findings) {
    lines.push(
      `  ${finding.confidence.toFixed(2)}  ${finding.rule}  ${finding.start}-${finding.end}  ${finding.reason}`,
    );
  }
  return [...lines, ...describeEvidence(text, explanation, style)].join('\n');
}

/** Describes the readings that see an attack, and the words with the most weight. */
function describeEvidence(text: string, { words, readings }: Explanation, style: Style): string[] {
  const heaviest = words
    .filter(({ weight }) => Math.abs(weight) >= 0.05)
    .toSorted((a, b) => Math.abs(b.weight) - Math.abs(a.weight))
    .slice(0, 10);
  if (heaviest.length === 0) return [];
  return [
    '',
    'Evidence for an attack, by reading:',
    '',
    ...readings.map(({ rule, share }) => `  ${`${Math.round(share * 100)} %`.padStart(7)}  ${rule}`),
    '',
    paint(text, words, style),
    '',
    ...heaviest.map(({ start, end, weight, meaning }) => {
      const number = `${weight > 0 ? '+' : ''}${weight.toFixed(2)}`.padStart(7);
      return `  ${number}  ${text.slice(start, end)}${meaning === '' ? '' : `  (${meaning})`}`;
    }),
  ];
}
