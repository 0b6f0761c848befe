import {
  CodedError,
  type SecurityTestSummary,
  type TestRun,
  type TestRunSummary,
} from '@csg/shared/contract';
import type { Admin } from '../../access/caller.ts';
import { ATTACK_PROBES, HARMLESS_PROBES } from '../../security-testing/all-probes.ts';
import type { SecurityTestRun, Storage } from '../../storage/storage.ts';
import { runAllTests, type SecurityTestDeps } from './run-security-tests.ts';

export interface SaveRunDependencies extends SecurityTestDeps {
  readonly storage: SecurityTestDeps['storage'] & Pick<Storage, 'securityTestRuns'>;
}

/** Stored part of a run: outcomes by test name. The probes' texts are part of the service and not stored. */
type StoredReport = Pick<TestRun, 'categories'> & {
  readonly counts: Omit<TestRunSummary, 'id' | 'target_preset' | 'started_by' | 'started_at' | 'duration_ms'>;
  readonly tests: readonly Omit<TestRun['tests'][number], 'description'>[];
};

/** Runs every security test and stores the outcomes, so that later runs can be compared with them. */
export async function saveRun(
  deps: SaveRunDependencies,
  person: Admin,
  targetPreset: string | undefined,
): Promise<SecurityTestRun> {
  const { organizationId } = person;
  const startedMs = deps.clock.elapsed();
  const summary = await runAllTests(
    deps,
    { organizationId, projectId: null, actor: person.id },
    targetPreset,
  );
  return deps.storage.securityTestRuns.insert(organizationId, {
    targetPreset: summary.target_preset,
    startedBy: person.id,
    durationMs: deps.clock.elapsed() - startedMs,
    report: JSON.stringify(storedReport(summary)),
  });
}

function storedReport(summary: SecurityTestSummary): StoredReport {
  return {
    counts: {
      total_tests: summary.total_tests,
      blocked: summary.blocked,
      redacted: summary.redacted,
      missed: summary.missed,
      errored: summary.errored_count + summary.harmless.errored_count,
      false_alarms: summary.false_alarms,
      harmless_tests: summary.harmless.total_tests,
    },
    categories: summary.categories,
    tests: [...summary.results, ...summary.harmless.results].map((result) => ({
      name: result.test_name,
      category: result.details.category,
      outcome: result.details.outcome,
      threat_type: result.threat_type,
      confidence: result.confidence,
    })),
  };
}

export function runSummary(run: SecurityTestRun, nameOf: (userId: string) => string): TestRunSummary {
  const { counts } = JSON.parse(run.report) as StoredReport;
  return {
    id: run.id,
    target_preset: run.targetPreset,
    started_by: nameOf(run.startedBy),
    started_at: new Date(run.createdAtMs).toISOString(),
    duration_ms: run.durationMs,
    ...counts,
  };
}

/** Returns the whole run; throws `not_found`. */
export async function readRun(
  deps: { readonly storage: Pick<Storage, 'securityTestRuns'> },
  organizationId: string,
  runId: string,
  nameOf: (userId: string) => string,
): Promise<TestRun> {
  const run = await deps.storage.securityTestRuns.get(organizationId, runId);
  if (run === null) throw new CodedError('not_found', { message: 'No such run.' });
  const { categories, tests } = JSON.parse(run.report) as StoredReport;
  const about = new Map(
    [...ATTACK_PROBES, ...HARMLESS_PROBES].map((probe) => [probe.name, probe.description]),
  );
  return {
    ...runSummary(run, nameOf),
    categories,
    // The probe may no longer exist.
    tests: tests.map((test) => ({ ...test, description: about.get(test.name) ?? '' })),
  };
}
