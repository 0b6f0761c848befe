import type { SecurityTestResult, SecurityTestSummary } from '@csg/shared/contract';

/** Highlights text that needs attention; without colors the text is unchanged. */
export type Mark = (text: string, meaning: 'bad' | 'warning') => string;

type Counts = Pick<
  SecurityTestSummary,
  'total_tests' | 'blocked' | 'allowed' | 'redacted' | 'missed' | 'errored_count' | 'stopped_rate'
>;

const COLUMNS = ['tests', 'blocked', 'allowed', 'redacted', 'missed', 'errored', 'stopped'] as const;

/** Formats the report for a person, line by line. */
export function securityTestLines(
  summary: SecurityTestSummary,
  descriptionOf: (test: string) => string,
  mark: Mark,
): string[] {
  const { categories, results, harmless } = summary;
  const names = ['category', 'total', ...categories.map(({ category }) => category)];
  const width = Math.max(...names.map((name) => name.length));
  const line = (name: string, counts: Counts) => {
    const cells = [
      counts.total_tests,
      counts.blocked,
      counts.allowed,
      counts.redacted,
      counts.missed,
      counts.errored_count,
      percent(counts.stopped_rate),
    ].map((value, i) => String(value).padStart((COLUMNS[i] as string).length));
    if (counts.missed > 0) cells[4] = mark(cells[4] as string, 'bad');
    if (counts.errored_count > 0) cells[5] = mark(cells[5] as string, 'bad');
    return `${name.padEnd(width)}  ${cells.join('  ')}`;
  };
  const ended = (outcome: SecurityTestResult['details']['outcome']) =>
    [...results, ...harmless.results].filter((result) => result.details.outcome === outcome);
  const alarms = ended('false_alarm');
  const heading = `False positives: ${alarms.length} of ${harmless.total_tests} harmless texts were blocked`;
  return [
    `Preset ${summary.target_preset}: ${summary.total_tests} attacks tested, ${percent(summary.block_rate)} blocked, ${percent(summary.stopped_rate)} blocked or masked.`,
    '',
    `${'category'.padEnd(width)}  ${COLUMNS.join('  ')}`,
    ...categories.map((row) => line(row.category, row)),
    line('total', summary),
    '',
    alarms.length === 0 ? `${heading}.` : `${mark(heading, 'warning')}:`,
    ...listed(alarms, descriptionOf),
    ...section('Missed', ended('missed'), descriptionOf),
    ...section('Could not be run', ended('errored'), descriptionOf),
  ];
}

function section(
  heading: string,
  results: readonly SecurityTestResult[],
  descriptionOf: (test: string) => string,
): string[] {
  return results.length === 0
    ? []
    : ['', `${heading} (${results.length}):`, ...listed(results, descriptionOf)];
}

function listed(results: readonly SecurityTestResult[], descriptionOf: (test: string) => string): string[] {
  const width = Math.max(0, ...results.map((result) => result.test_name.length));
  return results.map(({ test_name }) => `  ${test_name.padEnd(width)}  ${descriptionOf(test_name)}`);
}

function percent(rate: number): string {
  return `${(rate * 100).toFixed(1)}%`;
}
