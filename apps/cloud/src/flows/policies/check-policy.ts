import {
  type PolicyRules,
  type PolicyWarning,
  ValidationError,
  type ValidationIssue,
} from '@csg/shared/contract';
import { checkPattern, isTimeZone, normalDomain } from '@csg/shared/detection';
import type { Steps } from '@csg/shared/text';
import type { PolicyInput } from '../../storage/storage.ts';

type Loc = readonly (string | number)[];

/** Texts on which slow patterns take long, and the CPU time that one pattern may take for all of them. */
const PROBE_CHARACTERS = 4_000;
const MAX_PROBE_MS = 15;
const PROBES: readonly string[] = [
  'ab',
  'x',
  'The quick brown fox jumps over 13 lazy dogs. ',
  '12 34-56/',
].map((part) => part.repeat(PROBE_CHARACTERS / part.length));
/** Texts that no policy should block: a pattern that matches all of them matches everything. */
const HARMLESS = [
  'Good morning.',
  'What time is it in Lima?',
  '4',
  'def f(x): return x',
  'Danke schön!',
  '你好',
];

/** Throws a ValidationError with a message for each invalid field. Returns warnings for the admin. */
export function* checkPolicy(policy: PolicyInput): Steps<readonly PolicyWarning[]> {
  const problems: ValidationIssue[] = [];
  const addIssue = (loc: Loc, msg: string): void => {
    problems.push({ loc: ['body', ...loc], msg, type: 'policy' });
  };
  const rules = policy.rules ?? {};
  const looksForItself = hasOwnRules(rules);
  const warnings: PolicyWarning[] = [];
  if (policy.name.trim() === '') addIssue(['name'], 'Give the policy a name.');
  if (policy.threatTypes.length === 0 && !looksForItself) {
    addIssue(['threat_types'], 'Choose threat types, or add patterns, domains or tool call rules.');
  }
  if (policy.action === 'allow' && looksForItself) {
    addIssue(
      ['action'],
      'Patterns, domains and tool call rules can be monitored, masked or blocked, not allowed.',
    );
  }
  checkFlows(policy, addIssue);
  checkConditions(rules, addIssue);
  checkDomains(rules, addIssue);
  checkAllowedValues(policy, addIssue);
  const isSweeping = yield* checkPatterns(rules, addIssue);
  if (problems.length > 0) throw new ValidationError(problems);
  if (isSweeping && policy.action === 'block') {
    warnings.push({
      code: 'blocks_everything',
      message: 'A pattern of this policy matches every text, so the policy blocks everything.',
    });
  }
  return warnings;
}

export function hasOwnRules(rules: PolicyRules): boolean {
  return [rules.patterns, rules.blocked_domains, rules.allowed_domains, rules.flows].some(
    (list) => (list?.length ?? 0) > 0,
  );
}

function checkFlows({ action, rules }: PolicyInput, addIssue: (loc: Loc, msg: string) => void): void {
  const { flows = [] } = rules ?? {};
  if (flows.length > 0 && action === 'redact')
    addIssue(['action'], 'Tool calls cannot be masked. Choose block or monitor.');
  for (const [index, rule] of flows.entries()) {
    for (const [loc, msg] of flowIssues(rule)) addIssue(['flows', index, ...loc], msg);
  }
}

const SOURCES = ['from', 'from_tools', 'values'] as const;
const CALLS = ['tools', 'effects'] as const;

function flowIssues(rule: NonNullable<PolicyRules['flows']>[number]): (readonly [Loc, string])[] {
  const isGiven = (name: (typeof SOURCES | typeof CALLS)[number]) => (rule[name]?.length ?? 0) > 0;
  if (rule.max_calls === undefined) {
    return [...SOURCES, ...CALLS].some(isGiven) ? [] : [[[], 'Name sources, values, tools or effects.']];
  }
  const issues: (readonly [Loc, string])[] = SOURCES.filter(isGiven).map((name) => [
    [name],
    'A rule that counts calls has no sources or values.',
  ]);
  if (!CALLS.some(isGiven)) issues.unshift([['tools'], 'Name the tools or effects whose calls are counted.']);
  return issues;
}

function checkConditions({ conditions }: PolicyRules, addIssue: (loc: Loc, msg: string) => void): void {
  const { schedule } = conditions ?? {};
  if (schedule !== undefined && !isTimeZone(schedule.time_zone)) {
    addIssue(
      ['conditions', 'schedule', 'time_zone'],
      'Unknown time zone. Enter a name such as Europe/Berlin.',
    );
  }
  const { min_confidence: min, below_confidence: below } = conditions ?? {};
  if (min !== undefined && below !== undefined && min >= below) {
    addIssue(['conditions', 'below_confidence'], `Enter a value above min_confidence, which is ${min}.`);
  }
  for (const [index, host] of (conditions?.hosts ?? []).entries()) {
    if (!/^(\*\.)?[a-z0-9._-]+(:\d{1,5})?$|^[0-9a-f.:[\]]+$/i.test(host.trim())) {
      addIssue(['conditions', 'hosts', index], 'Enter a host such as api.openai.com or *.openai.com.');
    }
  }
}

function checkAllowedValues(
  { threatTypes, rules }: PolicyInput,
  addIssue: (loc: Loc, msg: string) => void,
): void {
  const values = rules?.allowed_values ?? [];
  if (values.length === 0) return;
  if (!threatTypes.some((type) => type === 'pii_leak' || type === 'secret_leak')) {
    addIssue(
      ['allowed_values'],
      'Allowed values apply to personal data and secrets. Choose the threat type pii_leak or secret_leak.',
    );
  }
  for (const [index, value] of values.entries()) {
    if (value.trim().length < 3)
      addIssue(['allowed_values', index], 'Enter a complete value of at least 3 characters.');
  }
}

function checkDomains(rules: PolicyRules, addIssue: (loc: Loc, msg: string) => void): void {
  for (const field of ['blocked_domains', 'allowed_domains'] as const) {
    for (const [index, domain] of (rules[field] ?? []).entries()) {
      if (normalDomain(domain.replace(/^\*\./, '')) !== null) continue;
      addIssue([field, index], 'Enter a domain such as example.com, without a path or "https://".');
    }
  }
}

/** Returns true if one of the patterns matches every text. */
function* checkPatterns(rules: PolicyRules, addIssue: (loc: Loc, msg: string) => void): Steps<boolean> {
  let isSweeping = false;
  for (const [index, { pattern }] of (rules.patterns ?? []).entries()) {
    const loc = ['patterns', index, 'pattern'];
    const checked = checkPattern(pattern);
    if (!checked.ok) {
      addIssue(loc, checked.message);
      continue;
    }
    if ((yield* probeMs(checked.find)) > MAX_PROBE_MS) {
      addIssue(
        loc,
        'This pattern takes too long on long texts. Avoid large counts over wide classes, such as [a-z]{1,100}.',
      );
    }
    isSweeping ||= checked.matchesAll || HARMLESS.every((text) => checked.find(text) !== null);
  }
  return isSweeping;
}

/** Measures the CPU time of this thread, best of three, so that other load on the system is not counted. */
function* probeMs(find: (text: string) => unknown): Steps<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3 && best > MAX_PROBE_MS; round++) {
    let ms = 0;
    for (const text of PROBES) {
      yield;
      const before = process.threadCpuUsage();
      find(text);
      const { user, system } = process.threadCpuUsage(before);
      ms += (user + system) / 1_000;
    }
    best = Math.min(best, ms);
  }
  return best;
}
