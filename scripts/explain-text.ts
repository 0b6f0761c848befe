/**
 * Shows what the engine makes of a text: decision, findings, and which words weighed how much.
 *   explain-text.ts "text" [--role user|document|…] [--preset default:moderate] [--output]
 */
import { parseArgs, styleText } from 'node:util';
import { compileRuleset, type Explanation, explain, parsePreset } from '../shared/detection/index.ts';
import { SLOT_ROLES } from '../shared/text/index.ts';

const DECISION_STYLES = { allow: 'green', redact: 'yellow', block: 'red' } as const;

/** Words that speak for an attack in red, those against in green; strong ones in bold. */
function paint(text: string, explanation: Explanation): string {
  let out = '';
  let at = 0;
  for (const { start, end, weight } of explanation.words) {
    if (start < at) continue;
    const word = text.slice(start, end);
    const strength = Math.abs(weight);
    const colour = weight > 0 ? 'red' : 'green';
    const painted = strength < 0.3 ? word : styleText(strength > 1 ? ['bold', colour] : colour, word);
    out += styleText('dim', text.slice(at, start)) + painted;
    at = end;
  }
  return out + styleText('dim', text.slice(at));
}

export function describe(text: string, explanation: Explanation): string {
  const { verdict, window, words, reading } = explanation;
  const lines = [
    `${styleText(['bold', DECISION_STYLES[verdict.decision]], verdict.decision.toUpperCase())}  ${verdict.threatType ?? 'nothing found'}  ${verdict.confidence.toFixed(2)}`,
    '',
  ];
  for (const finding of verdict.findings) {
    lines.push(
      `  ${finding.confidence.toFixed(2)}  ${finding.rule}  ${finding.start}-${finding.end}  ${finding.reason}`,
    );
  }
  if (window !== undefined) {
    lines.push(
      '',
      `Read as ${reading === 'data' ? 'data' : "a user's text"}; strongest passage ${window.start}-${window.end}, score ${window.score}:`,
    );
    lines.push('', paint(text, explanation), '');
    const heaviest = [...words].sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight)).slice(0, 10);
    for (const { start, end, weight, meaning } of heaviest) {
      if (Math.abs(weight) < 0.05) continue;
      const sign = weight > 0 ? '+' : '';
      lines.push(
        `  ${(sign + weight.toFixed(2)).padStart(7)}  ${text.slice(start, end)}${meaning === '' ? '' : `  (${meaning})`}`,
      );
    }
  }
  return lines.join('\n');
}

function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      role: { type: 'string', default: 'user' },
      preset: { type: 'string', default: 'default' },
      output: { type: 'boolean', default: false },
    },
  });
  const text = positionals.join(' ');
  const preset = parsePreset(values.preset);
  const role = SLOT_ROLES.find((known) => known === values.role);
  if (text === '' || preset === undefined || role === undefined)
    throw new Error('explain-text.ts "text" [--role R] [--preset P]');
  const ruleset = compileRuleset({ ...preset, policies: [] });
  console.log(describe(text, explain(text, role, ruleset, values.output ? 'output' : 'input')));
}

if (import.meta.main) main();
