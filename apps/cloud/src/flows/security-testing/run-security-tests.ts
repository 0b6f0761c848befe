import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  CodedError,
  type SecurityTestList,
  type SecurityTestResult,
  type SecurityTestSummary,
} from '@csg/shared/contract';
import type { Scanner } from '../../detection-workers/scanner.ts';
import {
  ATTACK_PROBES,
  type CategorizedProbe,
  findProbe,
  HARMLESS_PROBES,
} from '../../security-testing/all-probes.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Clock } from '../clock.ts';
import { resolvePreset } from './resolve-preset.ts';
import { runProbe } from './run-probe.ts';
import { startEngine, type TestEngine } from './start-engine.ts';
import { sumUp } from './sum-up.ts';

export interface SecurityTestDeps {
  readonly scanner: Pick<Scanner, 'ruleset' | 'scan'>;
  readonly storage: Pick<Storage, 'audit'>;
  readonly clock: Clock;
}

/** The requester, for the audit row; nothing else is stored about a run. */
export interface Tester {
  readonly organizationId: string;
  readonly projectId: string | null;
  /** Id of the key, or `operator`. */
  readonly actor: string;
}

const ownerOf = ({ organizationId }: Tester) => ({ organizationId, deviceId: null });

/** A report is due within 30 s; tests that did not run by then are reported as errored. */
const RUN_MS = 25_000;

/** Lists every probe without its text; rejects with engine_unavailable if the engine cannot run. */
export async function listTests(
  deps: Pick<SecurityTestDeps, 'scanner'>,
  tester: Tester,
): Promise<SecurityTestList> {
  await startEngine(deps.scanner, ownerOf(tester), resolvePreset(undefined));
  const tests = ATTACK_PROBES.map(listed);
  return { total: tests.length, tests, harmless: HARMLESS_PROBES.map(listed) };
}

const listed = ({ name, category, description }: CategorizedProbe) => ({ name, category, description });

/** Runs one probe by its name; rejects with not_found if there is none. */
export async function runTest(
  deps: SecurityTestDeps,
  tester: Tester,
  name: string,
  targetPreset: string | undefined,
): Promise<SecurityTestResult> {
  const preset = resolvePreset(targetPreset);
  const engine = await startEngine(deps.scanner, ownerOf(tester), preset);
  const probe = findProbe(name);
  if (probe === undefined) {
    throw new CodedError('not_found', {
      message: 'No such test. GET /api/v1/security-testing/tests lists them.',
    });
  }
  const result = await runProbe(engine, probe, RUN_MS);
  await record(deps, tester, { test: name, target_preset: preset.name, decision: result.decision });
  return result;
}

/** Tests a text of the caller as a user's prompt. The text is not stored. */
export async function runCustomTest(
  deps: SecurityTestDeps,
  tester: Tester,
  prompt: string,
  targetPreset: string | undefined,
): Promise<SecurityTestResult> {
  const preset = resolvePreset(targetPreset);
  const engine = await startEngine(deps.scanner, ownerOf(tester), preset);
  const result = await runProbe(engine, { name: 'custom', category: 'custom', tried: prompt }, RUN_MS);
  await record(deps, tester, { test: 'custom', target_preset: preset.name, decision: result.decision });
  return result;
}

/** Runs every probe, attacks and harmless ones, in a fixed order. */
export async function runAllTests(
  deps: SecurityTestDeps,
  tester: Tester,
  targetPreset: string | undefined,
): Promise<SecurityTestSummary> {
  const preset = resolvePreset(targetPreset);
  const engine = await startEngine(deps.scanner, ownerOf(tester), preset);
  const untilMs = deps.clock.elapsed() + RUN_MS;
  const attacks = await runEach(deps, engine, ATTACK_PROBES, untilMs);
  const harmless = await runEach(deps, engine, HARMLESS_PROBES, untilMs);
  const summary = sumUp(preset.name, attacks, harmless);
  const { total_tests, blocked, redacted, missed, errored_count, false_alarms } = summary;
  await record(deps, tester, {
    test: 'all',
    target_preset: preset.name,
    ...{ total_tests, blocked, redacted, missed, errored_count, false_alarms },
  });
  return summary;
}

async function runEach(
  deps: SecurityTestDeps,
  engine: TestEngine,
  probes: readonly CategorizedProbe[],
  untilMs: number,
): Promise<SecurityTestResult[]> {
  const results: SecurityTestResult[] = [];
  for (const probe of probes) {
    results.push(await runProbe(engine, probe, untilMs - deps.clock.elapsed()));
    // Let other requests run in between.
    await nextTurn();
  }
  return results;
}

function record(
  deps: SecurityTestDeps,
  { organizationId, projectId, actor }: Tester,
  data: Readonly<Record<string, string | number>>,
): Promise<unknown> {
  return deps.storage.audit.append({
    organizationId,
    kind: 'security_test_run',
    actor,
    subject: projectId ?? organizationId,
    data,
  });
}
