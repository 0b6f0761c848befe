import { REPORT_VERSION, type SecurityTestResult, type SecurityTestSummary } from '@csg/shared/contract';

/** blocked + allowed = total_tests. Errored tests are in none of them. */
export interface Counts {
  total_tests: number;
  blocked: number;
  allowed: number;
  redacted: number;
  missed: number;
  block_rate: number;
  stopped_rate: number;
  errored_count: number;
}

export function countResults(results: readonly SecurityTestResult[]): Counts {
  const count = (matches: (result: SecurityTestResult) => boolean) => results.filter(matches).length;
  const errored = count((result) => result.errored);
  const blocked = count((result) => result.blocked);
  const redacted = count((result) => result.details.outcome === 'redacted');
  const total = results.length - errored;
  return {
    total_tests: total,
    blocked,
    allowed: total - blocked,
    redacted,
    missed: count((result) => result.details.outcome === 'missed'),
    block_rate: share(blocked, total),
    stopped_rate: share(blocked + redacted, total),
    errored_count: errored,
  };
}

function share(part: number, total: number): number {
  return total === 0 ? 0 : Math.round((part / total) * 10_000) / 10_000;
}

/** Returns the report. Harmless probes are counted separately from attacks. */
export function sumUp(
  targetPreset: string,
  attacks: readonly SecurityTestResult[],
  harmless: readonly SecurityTestResult[],
): SecurityTestSummary {
  const { total_tests, blocked, allowed, redacted, errored_count } = countResults(harmless);
  const names = [...new Set(attacks.map((result) => result.details.category))];
  return {
    report_version: REPORT_VERSION,
    target_preset: targetPreset,
    ...countResults(attacks),
    results: [...attacks],
    categories: names.map((category) => ({
      category,
      ...countResults(attacks.filter((result) => result.details.category === category)),
    })),
    false_alarms: blocked,
    harmless: { total_tests, blocked, allowed, redacted, errored_count, results: [...harmless] },
  };
}
