import type { TestRun } from '@csg/shared/contract';

type Test = TestRun['tests'][number];

export interface TestChange {
  readonly test: Test;
  /** Undefined if the other run does not have the test. */
  readonly before: string | undefined;
  readonly isWorse: boolean;
}

const GOOD = new Set(['blocked', 'redacted', 'passed']);

/** Tests whose result differs from an earlier run, worse ones first. */
export function compareRuns(run: Pick<TestRun, 'tests'>, earlier: Pick<TestRun, 'tests'>): TestChange[] {
  const then = new Map(earlier.tests.map(({ name, outcome }) => [name, outcome]));
  return run.tests
    .filter(({ name, outcome }) => then.get(name) !== outcome)
    .map((test) => ({ test, before: then.get(test.name), isWorse: !GOOD.has(test.outcome) }))
    .sort((a, b) => Number(b.isWorse) - Number(a.isWorse));
}

/** Tests with an unwanted result. */
export function failuresOf(run: Pick<TestRun, 'tests'>): Test[] {
  return run.tests.filter(({ outcome }) => !GOOD.has(outcome));
}
