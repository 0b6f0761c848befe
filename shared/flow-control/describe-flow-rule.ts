import type { DataSource, FlowRule, FlowValue, PolicyAction, ToolEffect } from '../contract/index.ts';

const SOURCES: Readonly<Record<DataSource, string>> = {
  web_page: 'web pages',
  email: 'emails',
  message: 'messages',
  document: 'documents',
  ticket: 'tickets and comments',
  file: 'files',
  command_output: 'output of commands',
  record: 'records of the organization',
  other: 'other untrusted data',
};
const VALUES: Readonly<Record<FlowValue, string>> = {
  recipient: 'recipients',
  address: 'addresses',
  path: 'paths',
  command: 'commands',
  amount: 'amounts',
  text: 'copied texts',
};

/** Describes a rule in a sentence. `isMonitored`: the policy only reports. */
export function describeFlowRule(rule: FlowRule, action: PolicyAction, isMonitored: boolean): string {
  const { from = [], from_tools: fromTools = [], values = [], max_calls: maxCalls } = rule;
  const reports = isMonitored || action === 'monitor';
  const target = targetOf(rule);
  if (maxCalls !== undefined) {
    const calls = `More than ${maxCalls} ${maxCalls === 1 ? 'call' : 'calls'} of ${target} in a conversation`;
    if (reports) return `${calls} are reported.`;
    return rule.needs_approval === true ? `${calls} need approval.` : `${calls} are blocked.`;
  }
  const sources = [...from.map((source) => SOURCES[source]), ...toolsOf(fromTools)];
  const what =
    values.length === 0
      ? 'values'
      : listed(
          values.map((value) => VALUES[value]),
          'and',
        );
  const subject = capitalized(
    `${what} from ${sources.length === 0 ? 'untrusted data' : listed(sources, 'and')}`,
  );
  if (reports) return `${subject} that reach ${target} are reported.`;
  return rule.needs_approval === true
    ? `${subject} reach ${target} only after approval.`
    : `${subject} may not reach ${target}.`;
}

function targetOf({ tools = [], effects = [] }: FlowRule): string {
  const parts = [
    ...toolsOf(tools),
    ...(effects.length === 0 ? [] : [`tools that ${listed(effects as ToolEffect[], 'or')}`]),
  ];
  return parts.length === 0 ? 'tools with effects on others' : listed(parts, 'or');
}

const toolsOf = (names: readonly string[]): string[] =>
  names.length === 0 ? [] : [`the ${names.length === 1 ? 'tool' : 'tools'} ${listed(names, 'and')}`];

function listed(words: readonly string[], last: 'and' | 'or'): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
