import type {
  ChangePolicy,
  PolicyAction,
  PolicyConditions,
  PolicyDetail,
  PolicyPiiType,
  TextRole,
  ThreatType,
  WeekDay,
} from '@csg/shared/contract';
import { type FlowRuleValues, flowRuleOf, flowRuleValuesOf } from './flow-rule-values.ts';

/** Form values of a policy; every field is present. */
export interface PolicyFormValues {
  name: string;
  description: string;
  action: PolicyAction;
  isDryRun: boolean;
  is_active: boolean;
  /** Empty for all projects. */
  project_id: string;
  threat_types: ThreatType[];
  hosts: string[];
  providers: string[];
  models: string[];
  roles: TextRole[];
  directions: ('input' | 'output')[];
  pii_types: PolicyPiiType[];
  rules: string[];
  /** In percent; empty for none. */
  minConfidence: number | '';
  belowConfidence: number | '';
  hasSchedule: boolean;
  time_zone: string;
  windows: { days: WeekDay[]; from: string; to: string }[];
  patterns: { name: string; pattern: string }[];
  blocked_domains: string[];
  allowed_domains: string[];
  allowed_values: string[];
  flows: FlowRuleValues[];
}

export function formValuesOf(policy: PolicyDetail | undefined, timeZone: string): PolicyFormValues {
  return {
    name: policy?.name ?? '',
    description: policy?.description ?? '',
    action: policy?.action ?? 'block',
    // A new policy starts as a dry run, so that it blocks nothing by mistake.
    isDryRun: policy === undefined || policy.mode === 'monitor',
    is_active: policy?.is_active ?? true,
    project_id: policy?.project_id ?? '',
    ...conditionValuesOf(policy?.conditions ?? {}),
    ...scheduleValuesOf(policy?.conditions?.schedule, timeZone),
    ...ruleValuesOf(policy ?? {}),
  };
}

function conditionValuesOf(conditions: PolicyConditions) {
  return {
    hosts: [...(conditions.hosts ?? [])],
    providers: [...(conditions.providers ?? [])],
    models: [...(conditions.models ?? [])],
    roles: [...(conditions.roles ?? [])],
    directions: [...(conditions.directions ?? [])],
    pii_types: [...(conditions.pii_types ?? [])],
    rules: [...(conditions.rules ?? [])],
    minConfidence: percentOf(conditions.min_confidence),
    belowConfidence: percentOf(conditions.below_confidence),
  };
}

function scheduleValuesOf(schedule: PolicyConditions['schedule'], timeZone: string) {
  return {
    hasSchedule: schedule !== undefined,
    time_zone: schedule?.time_zone ?? timeZone,
    windows: (schedule?.windows ?? [WORKING_HOURS]).map((window) => ({ ...window, days: [...window.days] })),
  };
}

/** Default schedule. */
const WORKING_HOURS: PolicyFormValues['windows'][number] = {
  days: ['mon', 'tue', 'wed', 'thu', 'fri'],
  from: '08:00',
  to: '18:00',
};

function ruleValuesOf(policy: Partial<PolicyDetail>) {
  return {
    threat_types: [...(policy.threat_types ?? [])],
    patterns: [...(policy.patterns ?? [])],
    blocked_domains: [...(policy.blocked_domains ?? [])],
    allowed_domains: [...(policy.allowed_domains ?? [])],
    allowed_values: [...(policy.allowed_values ?? [])],
    flows: (policy.flows ?? []).map(flowRuleValuesOf),
  };
}

/** The request body; empty conditions are omitted. */
export function policyOf(values: PolicyFormValues) {
  const list = <T>(name: string, items: readonly T[]) => (items.length === 0 ? {} : { [name]: items });
  return {
    name: values.name.trim(),
    description: values.description.trim(),
    action: values.action,
    mode: values.isDryRun ? ('monitor' as const) : ('enforce' as const),
    is_active: values.is_active,
    threat_types: values.threat_types,
    conditions: {
      ...list('hosts', values.hosts),
      ...list('providers', values.providers),
      ...list('models', values.models),
      ...list('roles', values.roles),
      ...list('directions', values.directions),
      ...list('pii_types', values.pii_types),
      ...list('rules', values.rules),
      ...(values.minConfidence === '' ? {} : { min_confidence: values.minConfidence / 100 }),
      ...(values.belowConfidence === '' ? {} : { below_confidence: values.belowConfidence / 100 }),
      ...(values.hasSchedule ? { schedule: { time_zone: values.time_zone, windows: values.windows } } : {}),
    },
    patterns: values.patterns.filter(({ pattern }) => pattern !== ''),
    blocked_domains: values.blocked_domains,
    allowed_domains: values.allowed_domains,
    allowed_values: values.allowed_values,
    flows: values.flows.map(flowRuleOf),
  } satisfies ChangePolicy;
}

function percentOf(confidence: number | undefined): number | '' {
  return confidence === undefined ? '' : Math.round(confidence * 10_000) / 100;
}

/** The policy proposed by a link: `?project=&action=&threat=&rule=&role=&direction=&below=&name=`. */
export function proposedValues(values: PolicyFormValues, proposal: URLSearchParams): PolicyFormValues {
  const below = Number(proposal.get('below'));
  return {
    ...values,
    name: proposal.get('name') ?? values.name,
    project_id: proposal.get('project') ?? values.project_id,
    action: (proposal.get('action') as PolicyAction | null) ?? values.action,
    threat_types: proposal.has('threat') ? (proposal.getAll('threat') as ThreatType[]) : values.threat_types,
    rules: proposal.getAll('rule'),
    roles: proposal.has('role') ? (proposal.getAll('role') as TextRole[]) : values.roles,
    directions: proposal.has('direction') ? (proposal.getAll('direction') as ('input' | 'output')[]) : [],
    belowConfidence: below > 0 && below <= 1 ? percentOf(below) : '',
  };
}
