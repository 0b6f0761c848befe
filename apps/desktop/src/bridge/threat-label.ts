import type { ThreatType } from '@csg/shared/contract';

/** Display names, the same in the window, in notifications and in the tray. */
const LABELS: Readonly<Record<ThreatType, string>> = {
  prompt_injection: 'Instructions that override the assistant',
  instruction_override: 'Instructions that override the assistant',
  jailbreak: 'An attempt to bypass safeguards',
  system_prompt_leak: 'A request for hidden instructions',
  indirect_prompt_injection: 'Hidden instructions in a document',
  pii_leak: 'Personal data',
  secret_leak: 'A password, key or other secret',
  data_exfiltration: 'Data sent to another destination',
  malicious_script: 'A harmful script',
  hidden_content: 'Hidden text',
  unsafe_tool_call: 'An unsafe tool call',
  custom_policy: 'A policy of your organization',
};

export function threatLabel(type: string | null): string {
  return LABELS[type as ThreatType] ?? 'A policy of your organization';
}
