import { parseSync } from 'oxc-parser';
import { memberName, type Node, nameOf, walk } from '../../structure/parse-source.ts';

/** One small change that a test should notice. */
export interface Mutant {
  readonly file: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  /** The replacement text. */
  readonly text: string;
  readonly what: string;
}

const OTHER_OPERATOR: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
  '%': '*',
};

/** Logging and metrics are not behavior that needs a test of its own. */
const TELEMETRY_CALL = /^(?:log|console|deps\.log|metrics?)\b/;

/** Returns every mutant of one source file, in order of position. */
export function mutantsOf(file: string, source: string): Mutant[] {
  const { program } = parseSync(file, source);
  const found: Mutant[] = [];
  walk(program as unknown as Node, (node, parent, key) => {
    for (const [start, end, text, what] of changesAt(node, parent, key, source)) {
      found.push({ file, line: source.slice(0, start).split('\n').length, start, end, text, what });
    }
  });
  return found.sort((a, b) => a.start - b.start || a.end - b.end);
}

export function applyMutant({ start, end, text }: Mutant, source: string): string {
  return source.slice(0, start) + text + source.slice(end);
}

type Change = readonly [start: number, end: number, text: string, what: string];

function changesAt(node: Node, parent: Node | undefined, key: string, source: string): Change[] {
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
      return operatorChange(node, source);
    case 'UnaryExpression':
      return node['operator'] === '!'
        ? [[node.start, (node['argument'] as Node).start, '', 'negation removed']]
        : [];
    case 'IfStatement':
    case 'ConditionalExpression': {
      const { start, end } = node['test'] as Node;
      return [
        [start, end, 'true', 'condition always true'],
        [start, end, 'false', 'condition always false'],
      ];
    }
    case 'Literal': {
      const { value } = node;
      if (typeof value !== 'boolean' || parent?.type === 'TSLiteralType') return [];
      return [[node.start, node.end, String(!value), `${value} becomes ${!value}`]];
    }
    case 'ExpressionStatement':
      return isExempt(node) || key === 'directive' ? [] : [[node.start, node.end, ';', 'statement removed']];
    case 'ReturnStatement':
    case 'ThrowStatement':
    case 'ContinueStatement':
    case 'BreakStatement':
      // The last statement of a function or a case is followed by nothing.
      return parent?.type === 'IfStatement' ? [[node.start, node.end, ';', 'early return removed']] : [];
    default:
      return [];
  }
}

function operatorChange(node: Node, source: string): Change[] {
  const { operator } = node;
  const other = typeof operator === 'string' ? OTHER_OPERATOR[operator] : undefined;
  const [left, right] = [node['left'] as Node, node['right'] as Node];
  if (typeof operator !== 'string' || other === undefined) return [];
  // Strings cannot be subtracted.
  if (operator === '+' && [left, right].some(isText)) return [];
  const at = source.indexOf(operator, left.end);
  return at === -1 || at >= right.start
    ? []
    : [[at, at + operator.length, other, `${operator} becomes ${other}`]];
}

function isText(node: Node): boolean {
  return node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node['value'] === 'string');
}

function isExempt(statement: Node): boolean {
  const expression = statement['expression'] as Node;
  if (expression.type === 'Literal') return true;
  const call = (expression.type === 'AwaitExpression' ? expression['argument'] : expression) as Node;
  return (
    call.type === 'CallExpression' &&
    TELEMETRY_CALL.test(memberName(call['callee']) || nameOf(call['callee']))
  );
}
