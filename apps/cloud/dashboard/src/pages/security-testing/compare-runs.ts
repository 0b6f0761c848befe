import type { TestRun } from '@csg/shared/contract';

type Test = TestRun['tests'][number];

export interface TestChange {
  readonly test: Test;
  /** Undefined: the test was not there then. */
  readonly before: string | undefined;
  readonly isWorse: boolean;
}

const GOOD = new Set(['blocked', 'redacted', 'passed']);

/** Tests that ended otherwise than in an earlier run, those that got worse first. */
export function compareRuns(run: Pick<TestRun, 'tests'>, earlier: Pick<TestRun, 'tests'>): TestChange[] {
  const then = new Map(earlier.tests.map(({ name, outcome }) => [name, outcome]));
  return run.tests
    .filter(({ name, outcome }) => then.get(name) !== outcome)
    .map((test) => ({ test, before: then.get(test.name), isWorse: !GOOD.has(test.outcome) }))
    .sort((a, b) => Number(b.isWorse) - Number(a.isWorse));
}

/** Ends that are as they should be not. */
export function failuresOf(run: Pick<TestRun, 'tests'>): Test[] {
  return run.tests.filter(({ outcome }) => !GOOD.has(outcome));
}
