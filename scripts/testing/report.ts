import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { TestEvent } from 'node:test/reporters';
import { inspect, styleText } from 'node:util';
import { type FileEnd, SEVERAL_FILES } from './run-test-files.ts';

const CROSS = styleText('red', '✗');
const NODE_FRAME = /^ +at .*\(?node:.*\n?/gm;
const COUNTS = ['tests', 'suites', 'passed', 'failed', 'cancelled', 'skipped', 'todo'] as const;

type EventOf<T extends TestEvent['type']> = Extract<TestEvent, { type: T }>['data'];
type Counts = Record<(typeof COUNTS)[number], number>;

const noCounts = (): Counts => ({
  ...{ tests: 0, suites: 0, passed: 0, failed: 0, cancelled: 0, skipped: 0, todo: 0 },
});

/** Files that run in one process. */
type Group = readonly [string, ...string[]];

/** State of files while they run, and their results. */
interface FileState {
  readonly counts: Counts;
  readonly failures: string[];
  readonly skips: string[];
  output: string;
  hasReportedAll: boolean;
  hasFailed: boolean;
  skippedSuites: number;
}

/**
 * The report of a run: every failure immediately, one line per process; at the end every skip with its reason, every
 * failure again, and the counts in the format of node's own reporters: `# tests 12`, `# pass 12`, `# fail 0` … A file
 * that ends without reporting its tests (it called process.exit, or could not be loaded) fails, although node alone
 * accepts it with exit code 0.
 */
export function createReport(root: string, write: (text: string) => void) {
  const startedMs = performance.now();
  const files = new Map<string, FileState>();

  const fail = (state: FileState, text: string) => {
    state.failures.push(text);
    write(text);
  };

  const stateOf = (file: string): FileState => {
    const state = files.get(file) ?? {
      ...{ counts: noCounts(), failures: [], skips: [] },
      output: '',
      hasReportedAll: false,
      hasFailed: false,
      skippedSuites: 0,
    };
    files.set(file, state);
    return state;
  };

  const complete = (file: string, state: FileState, data: EventOf<'test:complete'>): void => {
    if (data.details.passed || !isFailure(data)) return;
    state.hasFailed = true;
    if (data.name !== file && data.name !== SEVERAL_FILES && !isEcho(data)) {
      fail(state, describeFailure(data, root));
    }
  };

  const pass = (state: FileState, data: EventOf<'test:pass'>): void => {
    if (data.skip === undefined) return;
    state.skips.push(describeSkip(data, root));
    if (data.details.type === 'suite') state.skippedSuites += 1;
  };

  const summarize = (group: Group, state: FileState, data: EventOf<'test:summary'>): void => {
    if (data.file === undefined) {
      addCounts(state, data);
      return;
    }
    state.hasReportedAll = true;
    if (!data.success) state.hasFailed = true;
    write(fileLine(data, state, nameOf(group, root)));
  };

  return {
    onEvent(group: Group, { type, data }: TestEvent): void {
      const [file] = group;
      const state = stateOf(file);
      if (type === 'test:stdout' || type === 'test:stderr') state.output += data.message;
      else if (type === 'test:diagnostic') state.output += data.file === undefined ? '' : `${data.message}\n`;
      else if (type === 'test:complete') complete(file, state, data);
      else if (type === 'test:pass') pass(state, data);
      else if (type === 'test:summary') summarize(group, state, data);
    },

    onFilesEnd(group: Group, end: FileEnd): void {
      const [file] = group;
      const state = stateOf(file);
      const { output, hasReportedAll, hasFailed } = state;
      if (hasReportedAll && !hasFailed) return;
      if (!hasReportedAll && !hasFailed) state.counts.failed += 1;
      const why = end === 'limit' ? 'timed out' : 'exited without reporting all its tests';
      if (hasReportedAll && output === '') return;
      const line = `${CROSS} ${nameOf(group, root)}${hasReportedAll ? '' : ` ${why}`}`;
      fail(state, `\n${line}\n${indent(output)}\n`);
    },

    /** @returns whether every test passed */
    end(): boolean {
      const states = [...files.values()];
      for (const { skips } of states) for (const skip of skips) write(skip);
      for (const { failures } of states) for (const failure of failures) write(failure);
      write(summaryLines(sumOf(states), performance.now() - startedMs, cpuSecondsOfChildren()));
      return !states.some(isFailed);
    },
  };
}

function isFailure({ todo, skip }: EventOf<'test:complete'>): boolean {
  return todo === undefined && skip === undefined;
}

/** True for the failure of a suite that only repeats a failure inside it. */
function isEcho({ details }: EventOf<'test:complete'>): boolean {
  const error: (Error & { failureType?: string }) | undefined = details.error;
  return error?.failureType === 'subtestsFailed';
}

function isFailed({ failures, counts }: FileState): boolean {
  return failures.length > 0 || counts.failed > 0 || counts.cancelled > 0;
}

function addCounts(state: FileState, { counts }: EventOf<'test:summary'>): void {
  // @types/node 24 lacks `failed`.
  const known = counts as typeof counts & { readonly failed: number };
  for (const name of COUNTS) state.counts[name] += known[name];
  state.counts.skipped += state.skippedSuites;
}

function sumOf(states: readonly FileState[]): Counts {
  const total = noCounts();
  for (const { counts } of states) for (const name of COUNTS) total[name] += counts[name];
  return total;
}

function describeFailure(test: EventOf<'test:complete'>, root: string): string {
  const { error } = test.details;
  const cause = error?.cause instanceof Error ? error.cause : error;
  const place = `${relative(test.file, root)}:${test.line ?? 0}`;
  const colors = process.stdout.hasColors?.() ?? false;
  const text = inspect(cause, { colors, depth: 8 }).replaceAll(NODE_FRAME, '');
  return `\n${CROSS} ${test.name}\n  ${styleText('dim', place)}\n${indent(text)}\n`;
}

function describeSkip(test: EventOf<'test:pass'>, root: string): string {
  const reason = typeof test.skip === 'string' ? test.skip : 'no reason given';
  return `${styleText('yellow', '-')} skipped: ${test.name} (${relative(test.file, root)}): ${reason}\n`;
}

function fileLine(
  { counts, duration_ms, success }: EventOf<'test:summary'>,
  { skippedSuites }: FileState,
  name: string,
): string {
  const mark = success ? styleText('green', '✓') : CROSS;
  const skipped = counts.skipped + skippedSuites;
  const note = skipped > 0 ? `, ${skipped} skipped` : '';
  const time = styleText('dim', `${(duration_ms / 1000).toFixed(1)} s`);
  return `${mark} ${name}  ${counts.tests} tests${note}  ${time}\n`;
}

function summaryLines(counts: Counts, durationMs: number, cpuSeconds: number | undefined): string {
  const rows = [
    ['tests', counts.tests],
    ['suites', counts.suites],
    ['pass', counts.passed],
    ['fail', counts.failed],
    ['cancelled', counts.cancelled],
    ['skipped', counts.skipped],
    ['todo', counts.todo],
    ['duration_ms', Math.round(durationMs)],
    ...(cpuSeconds === undefined ? [] : [['cpu_s', Math.round(cpuSeconds)]]),
  ];
  return `\n${rows.map(([name, value]) => `# ${name} ${value}\n`).join('')}`;
}

/** Of all processes that have ended and their parents waited for; Node has no call for it. */
function cpuSecondsOfChildren(): number | undefined {
  if (process.platform !== 'linux') return undefined;
  // See proc_pid_stat(5): fields 16 and 17, in ticks, of which there are 100 a second on every Linux.
  const [, afterName = ''] = readFileSync('/proc/self/stat', 'utf8').split(') ');
  const fields = afterName.split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

function nameOf([first, ...others]: Group, root: string): string {
  return `${path.relative(root, first)}${others.length > 0 ? ` and ${others.length} more` : ''}`;
}

function relative(file: string | undefined, root: string): string {
  return file === undefined ? '' : path.relative(root, file);
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}
