import type { Violation } from './module-violations.ts';
import { isNode, type Node, nameOf, type ParsedSource } from './parse-source.ts';

/** Methods that modify their collection or array. */
const CHANGING = new Set(
  'set add delete clear push pop shift unshift splice fill copyWithin sort reverse'.split(' '),
);

const REFUSED = 'modules must have no mutable state: pass it as an argument';
const NEEDS_NO_EXCUSE = 'has no module state: remove it from KEEPS_STATE';

/** Files of apps that keep state nevertheless, and why one value for the whole process or page is right. */
const KEEPS_STATE: Readonly<Record<string, string>> = {
  'apps/cloud/dashboard/src/components/time-ago.tsx': 'one clock updates all times on the page',
  'apps/cloud/dashboard/src/data/api.ts': 'a page has one session, whose token every request sends',
  'apps/cloud/src/detection-workers/classifier-worker.ts': 'per thread: the loaded model',
  'apps/cloud/src/detection-workers/scan-worker.ts': 'per thread: the compiled rulesets',
  'apps/cloud/src/flows/accounts/hash-password.ts':
    'hashing uses memory and threads of the process, so the limit is per process',
  'apps/cloud/src/routes/client-gone.ts': 'a WeakMap keyed by socket',
  'apps/cloud/src/storage/ids.ts': 'buffered random bytes, each used once',
  'apps/cloud/src/storage/engines/sqlite-read-worker.ts': 'per thread: the statements of its connection',
};

/**
 * Returns module variables that change after loading, which two callers would share unknowingly. Filling a table during
 * loading is allowed; changes through an alias are not detected. A file in `excused` must keep state.
 */
export function stateViolations(file: string, source: ParsedSource, excused = KEEPS_STATE): Violation[] {
  const found = stateOf(file, source);
  if (excused[file] === undefined) return found;
  return found.length > 0 ? [] : [{ file, line: 1, text: NEEDS_NO_EXCUSE }];
}

function stateOf(file: string, { body, lineOf }: ParsedSource): Violation[] {
  const violations: Violation[] = [];
  const own = new Set<string>();
  for (const { kind, declarator } of body.flatMap(declaredBy)) {
    const name = nameOf(declarator['id']);
    own.add(name);
    if (kind !== 'const')
      violations.push({ file, line: lineOf(declarator), text: `${kind} ${name}: ${REFUSED}` });
  }
  const visit = (node: Node, isInFunction: boolean): void => {
    const name = isInFunction ? nameOf(changedBy(node)) : '';
    if (name !== '' && own.has(name)) {
      violations.push({ file, line: lineOf(node), text: `a function changes ${name}: ${REFUSED}` });
    }
    for (const child of Object.values(node).flat().filter(isNode))
      visit(child, isInFunction || node.type.includes('Function'));
  };
  for (const statement of body) visit(statement, false);
  return violations;
}

function declaredBy(statement: Node): { readonly kind: unknown; readonly declarator: Node }[] {
  const node = statement.type === 'ExportNamedDeclaration' ? statement['declaration'] : statement;
  if (!isNode(node) || node.type !== 'VariableDeclaration') return [];
  return (node['declarations'] as Node[]).map((declarator) => ({ kind: node['kind'], declarator }));
}

/** Returns the variable that a node assigns to or modifies by a method, directly or through a member. */
function changedBy(node: Node): unknown {
  if (node.type === 'CallExpression') {
    const { object, property } = node['callee'] as { readonly object?: Node; readonly property?: Node };
    return CHANGING.has(nameOf(property)) ? object : undefined;
  }
  const target =
    node.type === 'AssignmentExpression'
      ? node['left']
      : node.type === 'UpdateExpression' || node['operator'] === 'delete'
        ? node['argument']
        : undefined;
  return isNode(target) && target.type === 'MemberExpression' ? target['object'] : target;
}
