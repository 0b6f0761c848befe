import type { Permission, Platform, StrictnessLevel, ThreatType, UseCase } from '@csg/shared/contract';

/** The specification's terms as people read them, the same everywhere. */
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
  default: { name: 'General', about: 'Any application that talks to a model.' },
  support_bot: { name: 'Support bot', about: 'Customers write; personal data is expected and masked.' },
  code_assistant: { name: 'Code assistant', about: 'Code and shell text are ordinary here.' },
  rag_system: {
    name: 'Retrieval',
    about: 'Documents of others reach the model; hidden instructions matter.',
  },
  data_analysis: { name: 'Data analysis', about: 'Tables and records pass; what leaves is watched.' },
  creative_writing: { name: 'Creative writing', about: 'Role play and invented scenes are ordinary here.' },
};

export const STRICTNESS_LABELS: Readonly<
  Record<StrictnessLevel, { readonly name: string; readonly about: string }>
> = {
  strict: { name: 'Strict', about: 'Stops at the first doubt. More false alarms.' },
  moderate: { name: 'Moderate', about: 'Stops what is likely. The default.' },
  permissive: { name: 'Permissive', about: 'Stops only what is nearly certain.' },
};

export const PERMISSION_LABELS: Readonly<Record<Permission, string>> = {
  proxy: 'Proxy routes, models, security testing',
  scan: 'Guard, scan, redact',
  agent: 'Tool calls of agents',
  scrape: 'Fetching pages',
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

/** Names the list of an object whose keys are a closed set. */
export function namesOf<Name extends string>(labels: Readonly<Record<Name, unknown>>): Name[] {
  return Object.keys(labels) as Name[];
}

/** A threat type of a record: also of one that this page does not know yet. */
export function threatLabel(type: string): string {
  return (THREAT_LABELS as Readonly<Record<string, string>>)[type] ?? type.replaceAll('_', ' ');
}
