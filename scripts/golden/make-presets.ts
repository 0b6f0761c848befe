import { STRICTNESS_LEVELS, USE_CASES } from '../../shared/contract/index.ts';
import { PII_THRESHOLDS, presetThreshold, USE_CASE_ROWS } from '../../shared/detection/presets.ts';
import { markdownTable } from './markdown.ts';

/** Returns the presets from their table: what each use case detects, and the confidence thresholds. */
export function makePresets(): string {
  const levels = (threshold: (level: (typeof STRICTNESS_LEVELS)[number]) => number) =>
    STRICTNESS_LEVELS.map((level) => threshold(level).toFixed(2)).join(' / ');
  const rows = USE_CASES.map((useCase) => {
    const { inputPii, outputPii } = USE_CASE_ROWS[useCase];
    return [
      `\`${useCase}\``,
      inputPii.join(', '),
      outputPii.join(', '),
      levels((level) => presetThreshold(useCase, level, 'input', 'prompt_injection')),
      levels((level) => presetThreshold(useCase, level, 'input', 'unsafe_tool_call')),
      levels((level) => presetThreshold(useCase, level, 'output', 'data_exfiltration')),
    ];
  });
  const head = ['use case', 'masked in prompts', 'masked in answers', 'attacks', 'tool calls', 'answers'];
  const personal = levels((level) => PII_THRESHOLDS[level]);
  return `${markdownTable(head, rows)}\n\nThe last three columns are the confidence from which a threat counts: ${STRICTNESS_LEVELS.join(' / ')}. Personal data and secrets count from ${personal}.`;
}
