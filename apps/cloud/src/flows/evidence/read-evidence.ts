import { type Evidence, type EvidenceFramework, THREAT_TYPES } from '@csg/shared/contract';
import type { Clock } from '../clock.ts';
import { FIGURES, type FigureId, type Figures } from './figures.ts';
import type { Framework } from './framework.ts';
import { EU_AI_ACT } from './frameworks/eu-ai-act.ts';
import { ISO_42001 } from './frameworks/iso-42001.ts';
import { NIST_AI_RMF } from './frameworks/nist-ai-rmf.ts';
import { OWASP_AGENTIC } from './frameworks/owasp-agentic.ts';
import { OWASP_LLM } from './frameworks/owasp-llm.ts';
import { type FigureDeps, readFigures, type Span } from './read-figures.ts';

export interface EvidenceDeps extends FigureDeps {
  readonly clock: Clock;
}

const FRAMEWORKS: readonly Framework[] = [OWASP_LLM, OWASP_AGENTIC, NIST_AI_RMF, EU_AI_ACT, ISO_42001];

const LIMITS: readonly string[] = [
  'The mapping states how this service relates to each control. It is neither a certificate nor legal advice.',
  'Content that does not pass the gateway or an enrolled device is not counted.',
  'Figures by threat count events that are still stored; decisions and actions are counted from the audit log, which is never deleted.',
  'Policies, members, keys, devices and settings are counted as they are now, not as they were during the period.',
];

/** Returns the recorded evidence in a time span for each control of the frameworks. */
export async function readEvidence(
  deps: EvidenceDeps,
  organizationId: string,
  span: Span,
): Promise<Evidence> {
  const figures = await readFigures(deps, organizationId, span);
  return {
    from: new Date(span.fromMs).toISOString(),
    to: new Date(span.toMs).toISOString(),
    generated_at: new Date(deps.clock.now()).toISOString(),
    figures: describe(figures),
    frameworks: FRAMEWORKS.map(frameworkOf),
    limits: [...LIMITS],
  };
}

function describe(figures: Figures): Evidence['figures'] {
  const own = Object.entries(FIGURES).map(([id, { label, path }]) => ({
    ...{ id, label, path, value: figures[id as FigureId] },
  }));
  const threats = THREAT_TYPES.map((type) => ({
    id: type,
    label: `Events with the threat ${type}`,
    value: figures[type],
    path: `/events?threat_type=${type}`,
  }));
  return [...own, ...threats];
}

function frameworkOf({ controls, ...framework }: Framework): EvidenceFramework {
  return { ...framework, controls: controls.map((one) => ({ ...one, figures: [...one.figures] })) };
}
