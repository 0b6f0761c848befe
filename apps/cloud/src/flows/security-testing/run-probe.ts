import type { ProbeOutcome, SecurityTestResult } from '@csg/shared/contract';
import type { Verdict } from '@csg/shared/decision';
import { applyReplacements } from '@csg/shared/text';
import type { CategorizedProbe } from '../../security-testing/all-probes.ts';
import { type ProbeRequest, readProbe, showProbe } from '../../security-testing/probe.ts';
import type { TestEngine } from './start-engine.ts';

/** A probe, or a text of the caller without an expected outcome. */
export type ProbeToRun = Omit<CategorizedProbe, 'category' | 'description'> & {
  readonly category: CategorizedProbe['category'] | 'custom';
};

/** Runs one probe. Never rejects: a failed run is reported as errored. Results are deterministic. */
export async function runProbe(
  engine: TestEngine,
  probe: ProbeToRun,
  withinMs: number,
): Promise<SecurityTestResult> {
  const request = readProbe(probe.tried);
  const shown = { test_name: probe.name, prompt: showProbe(probe.tried) };
  const details = { category: probe.category, direction: request.direction };
  try {
    if (withinMs <= 0) throw new DOMException('The time limit of the run was reached.', 'TimeoutError');
    const verdict = await engine.evaluate(request, withinMs);
    return {
      ...shown,
      decision: verdict.decision,
      reason: verdict.threats.map((threat) => threat.details).join(' ') || 'No threat was found.',
      threat_type: verdict.threatType,
      confidence: verdict.confidence,
      blocked: verdict.decision === 'block',
      details: { ...details, outcome: outcomeOf(probe, request, verdict), threats: [...verdict.threats] },
      errored: false,
    };
  } catch (error) {
    return {
      ...shown,
      decision: 'error',
      reason: reasonOf(error),
      threat_type: null,
      confidence: 0,
      blocked: false,
      details: { ...details, outcome: 'errored', threats: [] },
      errored: true,
    };
  }
}

function outcomeOf(probe: ProbeToRun, request: ProbeRequest, verdict: Verdict): ProbeOutcome {
  const { category, planted = [] } = probe;
  if (verdict.decision === 'block') return category === 'harmless' ? 'false_alarm' : 'blocked';
  if (category === 'harmless' || category === 'custom') {
    return verdict.decision === 'redact' ? 'redacted' : 'passed';
  }
  // Masking some other address does not stop an attack: the planted data has to be masked.
  const isMasked = verdict.decision === 'redact' && planted.length > 0 && !goesOn(planted, request, verdict);
  return isMasked ? 'redacted' : 'missed';
}

/** Returns true if any of the planted data is still readable after the redaction. */
function goesOn(
  planted: readonly string[],
  { conversation }: ProbeRequest,
  { replacements }: Verdict,
): boolean {
  return conversation.slots.some((slot, i) => {
    const left = applyReplacements(slot.text, replacements.get(i) ?? []);
    return planted.some((data) => left.includes(data));
  });
}

function reasonOf(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  return name === 'TimeoutError' || name === 'AbortError'
    ? 'This probe could not be run: the scan did not end in time.'
    : 'This probe could not be run: the scan failed.';
}
