import type { Violation } from './module-violations.ts';
import { memberName, type Node, nameOf, parseSource, walk } from './parse-source.ts';

const RUNNERS = ['test', 'it', 'describe', 'suite', 't'];
const OWN_MOCKS = ['module', 'method', 'getter', 'setter', 'property'];

/** Returns the violations of one test file: tests that do not run, mocks of our own code, and sleeps. */
export function testViolations(file: string, text: string, mayWait: boolean): Violation[] {
  const { body, lineOf, imports } = parseSource(file, text);
  const violations: Violation[] = [];
  const sleepNames = new Set(
    imports.some(({ specifier }) => specifier === 'node:timers/promises')
      ? ['setTimeout', 'delay', 'sleep']
      : [],
  );
  for (const statement of body) {
    walk(statement, (node) => {
      const sentence =
        unrunViolation(node) ??
        mockViolation(node) ??
        (mayWait ? undefined : sleepViolation(node, sleepNames));
      if (sentence !== undefined) violations.push({ file, line: lineOf(node), text: sentence });
    });
  }
  return violations;
}

function unrunViolation(node: Node): string | undefined {
  if (node.type !== 'CallExpression') return undefined;
  const [runner = '', how = ''] = memberName(node['callee']).split('.');
  const args = node['arguments'] as Node[];
  if (RUNNERS.includes(runner) && how === 'only') return 'only: the other tests of this file do not run';
  if (RUNNERS.includes(runner) && (how === 'skip' || how === 'todo')) {
    return runner === 't' && args.length > 0 ? undefined : `${how} without a reason: write { ${how}: 'why' }`;
  }
  if (!RUNNERS.includes(runner || nameOf(node['callee']))) return undefined;
  return args
    .filter((arg) => arg.type === 'ObjectExpression')
    .flatMap((options) => options['properties'] as Node[])
    .map(optionViolation)
    .find((sentence) => sentence !== undefined);
}

function optionViolation(property: Node): string | undefined {
  if ((property['value'] as Node | undefined)?.['value'] !== true) return undefined;
  const name = nameOf(property['key']);
  if (name === 'only') return 'only: the other tests of this file do not run';
  if (name === 'skip' || name === 'todo') return `${name} without a reason: write { ${name}: 'why' }`;
  return undefined;
}

function mockViolation(node: Node): string | undefined {
  if (node.type !== 'CallExpression') return undefined;
  const parts = memberName(node['callee']).split('.');
  const how = parts.at(-1) ?? '';
  const isClock = nameOf((node['arguments'] as Node[])[0]) === 'performance';
  return parts.at(-2) === 'mock' && OWN_MOCKS.includes(how) && !isClock
    ? `mock.${how}: use the real part, or hand in another real one`
    : undefined;
}

/** Detects `await setTimeout(ms)` of node:timers/promises, or a promise that only a timer resolves. */
function sleepViolation(node: Node, sleepNames: ReadonlySet<string>): string | undefined {
  const violation = 'a sleep: wait for what has to happen, or move the clock by hand';
  if (node.type === 'AwaitExpression') {
    const call = node['argument'] as Node;
    return call.type === 'CallExpression' && sleepNames.has(nameOf(call['callee'])) ? violation : undefined;
  }
  if (node.type !== 'NewExpression' || nameOf(node['callee']) !== 'Promise') return undefined;
  const executor = (node['arguments'] as Node[])[0];
  const resolve = nameOf((executor?.['params'] as Node[] | undefined)?.[0]);
  if (executor === undefined || resolve === '') return undefined;
  let timers = 0;
  let uses = 0;
  walk(executor['body'] as Node, (inner) => {
    if (inner.type === 'Identifier' && nameOf(inner) === resolve) uses++;
    const isTimer = inner.type === 'CallExpression' && nameOf(inner['callee']) === 'setTimeout';
    if (isTimer && nameOf((inner['arguments'] as Node[])[0]) === resolve) timers++;
  });
  // If it can also resolve otherwise, the timer is a timeout.
  const isSleep = timers > 0 && uses === timers;
  return isSleep ? violation : undefined;
}
