import type {
  EventSummary,
  Permission,
  PiiType,
  Platform,
  PolicyPiiType,
  StrictnessLevel,
  ThreatType,
  UseCase,
} from '@csg/shared/contract';

/** Display names of the contract's values, the same on every page. */
export const THREAT_LABELS: Readonly<Record<ThreatType, string>> = {
  prompt_injection: 'Prompt injection',
  instruction_override: 'Instruction override',
  jailbreak: 'Jailbreak',
  system_prompt_leak: 'System prompt leak',
  indirect_prompt_injection: 'Indirect prompt injection',
  pii_leak: 'Personal data',
  secret_leak: 'Secret',
  data_exfiltration: 'Data exfiltration',
  malicious_script: 'Malicious script',
  hidden_content: 'Hidden content',
  unsafe_tool_call: 'Unsafe tool call',
  custom_policy: 'Custom policy',
};

export const USE_CASE_LABELS: Readonly<Record<UseCase, { readonly name: string; readonly about: string }>> = {
  default: { name: 'General', about: 'Any application that uses a model.' },
  support_bot: {
    name: 'Support bot',
    about: 'Conversations with customers. Personal data is expected and redacted.',
  },
  code_assistant: { name: 'Code assistant', about: 'Source code and shell commands are expected.' },
  rag_system: {
    name: 'Retrieval',
    about: 'Third-party documents reach the model. Hidden instructions are the main risk.',
  },
  data_analysis: {
    name: 'Data analysis',
    about: 'Tables and records are expected. Contact data is redacted only in responses.',
  },
  creative_writing: { name: 'Creative writing', about: 'Role play and fiction are expected.' },
};

export const STRICTNESS_LABELS: Readonly<
  Record<StrictnessLevel, { readonly name: string; readonly about: string }>
> = {
  strict: { name: 'Strict', about: 'Blocks at low confidence. More false positives.' },
  moderate: { name: 'Moderate', about: 'Blocks likely threats. The default.' },
  permissive: { name: 'Permissive', about: 'Blocks only near-certain threats.' },
};

export const PERMISSION_LABELS: Readonly<Record<Permission, string>> = {
  proxy: 'Proxy routes, models, security testing',
  scan: 'Guard, scan, redact',
  agent: 'Agent tool calls',
  scrape: 'Web scraping',
  keys: 'API keys',
  projects: 'Projects',
  usage: 'Usage',
  policies: 'Policies',
  exceptions: 'Exceptions',
  tool_requests: 'Tool requests',
};

export const PLATFORM_LABELS: Readonly<Record<Platform, string>> = {
  macos: 'macOS',
  windows: 'Windows',
  linux: 'Linux',
  browser: 'Browser',
};

export const PII_LABELS: Readonly<Record<PiiType, string>> = {
  email: 'Email address',
  phone: 'Phone number',
  ssn: 'US social security number',
  credit_card: 'Card number',
  api_key: 'API key or other secret',
  ip_address: 'IP address',
};

/** Detected only if a policy names them. */
export const OPT_IN_PII_LABELS: Readonly<Record<Exclude<PolicyPiiType, PiiType>, string>> = {
  iban: 'Bank account number (IBAN)',
  national_id: 'National identity number',
  passport: 'Passport number',
  date_of_birth: 'Date of birth',
  street_address: 'Street address',
  person_name: 'Name of a person',
  medical_record_number: 'Medical record number',
};

export const POLICY_PII_LABELS: Readonly<Record<PolicyPiiType, string>> = {
  ...PII_LABELS,
  ...OPT_IN_PII_LABELS,
};

export const DECIDED_BY_LABELS: Readonly<Record<EventSummary['decided_by']['kind'], string>> = {
  preset: 'Preset',
  policy: 'Policy',
  exception: 'Exception',
  policy_webhook: 'Endpoint',
  limit: 'Limit',
  setting: 'Project setting',
  feedback: 'Allowed text',
};

/** The keys of an object whose keys are a closed set. */
export function namesOf<Name extends string>(labels: Readonly<Record<Name, unknown>>): Name[] {
  return Object.keys(labels) as Name[];
}

/** Also for threat types that this version of the dashboard does not know. */
export function threatLabel(type: string): string {
  return (THREAT_LABELS as Readonly<Record<string, string>>)[type] ?? type.replaceAll('_', ' ');
}
