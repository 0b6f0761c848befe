import path from 'node:path';
import type { TestEvent } from 'node:test/reporters';
import { inspect, styleText } from 'node:util';

const CROSS = styleText('red', '✗');

type EventOf<T extends TestEvent['type']> = Extract<TestEvent, { type: T }>['data'];

const NODE_FRAME = /^ +at .*\(?node:.*\n?/gm;

/**
 * A reporter for node:test: a line per file, then every failure in full and every skip with its reason, then node's
 * own summary as `# tests 12`, `# pass 12`, `# fail 0` … A file that ends without reporting its tests (it called
 * process.exit, or could not be loaded) fails, which node alone lets pass where the exit code was 0.
 */
export function createReport(root: string, files: readonly string[]) {
  let hasFailed = false;
  async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
    const failures: string[] = [];
    const skips: string[] = [];
    const said = new Map<string, string>();
    const unfinished = new Set(files);
    const broken: string[] = [];
    const hear = (file: string | undefined, text: string) => {
      if (file !== undefined) said.set(file, (said.get(file) ?? '') + text);
    };
    for await (const { type, data } of events) {
      if (type === 'test:fail' && data.todo === undefined) {
        hasFailed = true;
        if (unfinished.delete(data.name)) broken.push(data.name);
        else if (!isEcho(data, files)) failures.push(describeFailure(data, root));
      } else if (type === 'test:pass' && data.skip !== undefined) skips.push(describeSkip(data, root));
      else if (type === 'test:stdout' || type === 'test:stderr') hear(data.file, data.message);
      else if (type === 'test:diagnostic') hear(data.file, `${data.message}\n`);
      else if (type === 'test:summary' && data.file !== undefined) {
        unfinished.delete(data.file);
        if (!data.success) broken.push(data.file);
        yield fileLine(data, root);
      } else if (type === 'test:summary') {
        if (unfinished.size > 0) hasFailed = true;
        yield* skips;
        for (const file of [...broken, ...unfinished])
          yield describeFile(file, said.get(file), unfinished, root);
        yield* failures;
        yield summaryLines(data, unfinished.size);
      }
    }
  }
  return { report, hasFailed: () => hasFailed };
}

/** True for the failure of a suite or file that only says that something inside it failed. */
function isEcho(test: EventOf<'test:fail'>, files: readonly string[]): boolean {
  const error: Error & { failureType?: string } = test.details.error;
  return error.failureType === 'subtestsFailed' || files.includes(test.name);
}

/** What a failing file said on its own, outside its tests. */
function describeFile(file: string, said = '', unfinished: ReadonlySet<string>, root: string): string {
  const end = unfinished.has(file) ? ' ended without reporting all its tests' : '';
  return end === '' && said === '' ? '' : `\n${CROSS} ${relative(file, root)}${end}\n${indent(said)}\n`;
}

function describeFailure(test: EventOf<'test:fail'>, root: string): string {
  const { error } = test.details;
  const cause = error.cause instanceof Error ? error.cause : error;
  const where = `${relative(test.file, root)}:${test.line ?? 0}`;
  const text = inspect(cause, { colors: process.stdout.hasColors?.() ?? false, depth: 8 }).replaceAll(
    NODE_FRAME,
    '',
  );
  return `\n${CROSS} ${test.name}\n  ${styleText('dim', where)}\n${indent(text)}\n`;
}

function describeSkip(test: EventOf<'test:pass'>, root: string): string {
  const reason = typeof test.skip === 'string' ? test.skip : 'no reason given';
  return `${styleText('yellow', '-')} skipped: ${test.name} (${relative(test.file, root)}): ${reason}\n`;
}

function fileLine({ file, counts, duration_ms, success }: EventOf<'test:summary'>, root: string): string {
  const mark = success ? styleText('green', '✓') : CROSS;
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
  const time = styleText('dim', `${(duration_ms / 1000).toFixed(1)} s`);
  return `${mark} ${relative(file, root)}  ${counts.tests} tests${skipped}  ${time}\n`;
}

function summaryLines({ counts, duration_ms }: EventOf<'test:summary'>, unfinished: number): string {
  // @types/node 24 does not know the field yet.
  const { failed } = counts as typeof counts & { failed: number };
  const rows = [
    ['tests', counts.tests],
    ['suites', counts.suites],
    ['pass', counts.passed],
    ['fail', failed + unfinished],
    ['cancelled', counts.cancelled],
    ['skipped', counts.skipped],
    ['todo', counts.todo],
    ['duration_ms', Math.round(duration_ms)],
  ];
  return `\n${rows.map(([name, value]) => `# ${name} ${value}\n`).join('')}`;
}

function relative(file: string | undefined, root: string): string {
  return file === undefined ? '' : path.relative(root, file);
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}
