import type { Verdict } from '@csg/shared/decision';
import type { Finding } from '@csg/shared/detection';

/** Two digits, because sums of floating-point numbers may differ after those. */
const short = (value: number) => value.toFixed(2).replace(/^(-?)0\./, '$1.');

const SHORT_TYPES: Readonly<Record<string, string>> = {
  prompt_injection: 'injection',
  indirect_prompt_injection: 'indirect',
  instruction_override: 'override',
  system_prompt_leak: 'prompt leak',
  data_exfiltration: 'exfiltration',
};
const shortType = (type: string) => SHORT_TYPES[type] ?? type;

/** `email@3-19 .98`, and further details. */
function writeFinding(finding: Finding): string {
  const { rule, start, end, confidence, slot, pii, passage, withheld } = finding;
  const marks = [
    ...(slot === 0 ? [] : [`slot ${slot}`]),
    ...(finding.reportOnly ? ['reported'] : []),
    ...(finding.isExample ? ['example'] : []),
    ...(finding.isInCode ? ['code'] : []),
    ...(passage === undefined ? [] : [`in ${passage.start}-${passage.end}`]),
    ...(withheld ?? []).map(
      (one) => `without ${one.start}-${one.end} of ${one.scope.start}-${one.scope.end}`,
    ),
    ...(finding.role === undefined ? [] : [finding.role]),
    ...(finding.allowedBy === undefined ? [] : [`allowed by ${finding.allowedBy.join()}`]),
    ...(finding.placeholder?.startsWith('"') ? ['quoted'] : []),
  ];
  const name = rule.replace(/^(?:pii|secret)\./, '');
  const type = pii === undefined && name.startsWith('model.') ? ` ${shortType(finding.type)}` : '';
  return `${name}@${start}-${end}${type} ${[short(confidence), ...marks].join(', ')}`;
}

export const writeFindings = (findings: readonly Finding[]) => findings.map(writeFinding).join(' | ');

export function writeVerdict(verdict: Verdict): string {
  const { decision, threatType, confidence, decidedBy, blockedSlot, replacements, threats } = verdict;
  return [
    decision,
    ...(threatType === null ? [] : [`${shortType(threatType)} ${short(confidence)}`]),
    ...(decidedBy === undefined ? [] : [`by ${decidedBy.id}`]),
    ...(blockedSlot === undefined ? [] : [`slot ${blockedSlot}`]),
    ...threats.slice(1).map(({ type, confidence: sure }) => `${shortType(type)} ${short(sure)}`),
    ...[...replacements].map(
      ([slot, list]) =>
        `in ${slot}: ${list.map(({ start, end, text }) => `${start}-${end} ${text.replace(/:.*/, ']')}`).join(' ')}`,
    ),
  ].join(', ');
}
