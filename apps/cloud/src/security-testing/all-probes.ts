import type { Probe, ProbeGroup } from './probe.ts';
import { DIRECT_INJECTION } from './probes/direct-injection.ts';
import { ENCODED } from './probes/encoded.ts';
import { EXFILTRATION } from './probes/exfiltration.ts';
import { HARMLESS_QUESTIONS } from './probes/harmless-questions.ts';
import { HARMLESS_WORK } from './probes/harmless-work.ts';
import { INDIRECT_INJECTION } from './probes/indirect-injection.ts';
import { INSTRUCTION_OVERRIDE } from './probes/instruction-override.ts';
import { JAILBREAK } from './probes/jailbreak.ts';
import { LANGUAGES } from './probes/languages.ts';
import { MULTI_TURN } from './probes/multi-turn.ts';
import { PERSONAL_DATA } from './probes/personal-data.ts';
import { PROMPT_EXTRACTION } from './probes/prompt-extraction.ts';
import { SECRETS } from './probes/secrets.ts';
import { TOOL_ABUSE } from './probes/tool-abuse.ts';

/** Attacks and harmless texts for security testing. Called by flows; runs nothing and does not know the engine. */

export interface CategorizedProbe extends Probe {
  readonly category: ProbeGroup['category'];
}

const withCategory = ({ category, probes }: ProbeGroup): CategorizedProbe[] =>
  probes.map((probe) => ({ ...probe, category }));

/** In the order of the reports. */
export const ATTACK_PROBES: readonly CategorizedProbe[] = [
  DIRECT_INJECTION,
  INSTRUCTION_OVERRIDE,
  JAILBREAK,
  PROMPT_EXTRACTION,
  INDIRECT_INJECTION,
  ENCODED,
  LANGUAGES,
  MULTI_TURN,
  PERSONAL_DATA,
  SECRETS,
  TOOL_ABUSE,
  EXFILTRATION,
].flatMap(withCategory);

export const HARMLESS_PROBES: readonly CategorizedProbe[] = [HARMLESS_QUESTIONS, HARMLESS_WORK].flatMap(
  withCategory,
);

const byName = new Map([...ATTACK_PROBES, ...HARMLESS_PROBES].map((probe) => [probe.name, probe]));

/** Returns the attack or harmless probe with this name. */
export function findProbe(name: string): CategorizedProbe | undefined {
  return byName.get(name);
}
