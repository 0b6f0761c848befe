import { parseSync } from 'oxc-parser';

export interface Import {
  readonly specifier: string;
  readonly line: number;
  /** True if the import is erased at run time. */
  readonly isType: boolean;
  /** Imported names; `default`, and `*` for a whole module. */
  readonly names: readonly string[];
}

export interface ParsedSource {
  readonly imports: readonly Import[];
  readonly body: readonly Node[];
  readonly lineOf: (node: Node) => number;
}

/** ESTree with TypeScript, as far as the checks use it. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** Parses one TypeScript file; throws with the position on a syntax error. */
export function parseSource(file: string, text: string): ParsedSource {
  const parsed = parseSync(file, text);
  const [violation] = parsed.errors;
  if (violation !== undefined) throw new Error(`${file} cannot be read: ${violation.message}`);
  const body = parsed.program.body as unknown as Node[];
  const lineOf = (node: Node) => text.slice(0, node.start).split('\n').length;
  const imports: Import[] = [];
  walk({ type: 'Program', start: 0, end: text.length, body }, (node) => {
    const imported = readImport(node, lineOf);
    if (imported !== undefined) imports.push(imported);
  });
  return { imports, body, lineOf };
}

/** Visits every node, parents first. */
export function walk(
  node: Node,
  visit: (node: Node, parent: Node | undefined, key: string) => void,
  parent?: Node,
  key = '',
): void {
  visit(node, parent, key);
  for (const name in node) {
    const value = node[name];
    if (Array.isArray(value)) {
      for (const child of value) if (isNode(child)) walk(child, visit, node, name);
    } else if (isNode(value)) walk(value, visit, node, name);
  }
}

export function isNode(value: unknown): value is Node {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as Node).type === 'string' &&
    'start' in value
  );
}

export function nameOf(node: unknown): string {
  return isNode(node) && typeof node['name'] === 'string' ? node['name'] : '';
}

/** Returns `a.b` for a plain member expression of an identifier, else an empty string. */
export function memberName(node: unknown): string {
  if (!isNode(node) || node.type !== 'MemberExpression' || node['computed'] === true) return '';
  const object = nameOf(node['object']) || memberName(node['object']);
  return object === '' ? '' : `${object}.${nameOf(node['property'])}`;
}

function readImport(node: Node, lineOf: (node: Node) => number): Import | undefined {
  const source = node['source'];
  if (!isNode(source) || typeof source['value'] !== 'string') return undefined;
  const specifier = source['value'];
  const line = lineOf(node);
  if (node.type === 'TSImportType') return { specifier, line, isType: true, names: [] };
  if (node.type === 'ImportExpression' || node.type === 'ExportAllDeclaration') {
    return { specifier, line, isType: node['exportKind'] === 'type', names: ['*'] };
  }
  const parts = ((node['specifiers'] ?? []) as Node[]).map((part) => ({
    name:
      part.type === 'ImportDefaultSpecifier'
        ? 'default'
        : nameOf(part['imported'] ?? (part.type === 'ExportSpecifier' ? part['local'] : undefined)) || '*',
    isType: part['importKind'] === 'type' || part['exportKind'] === 'type',
  }));
  const isType =
    node['importKind'] === 'type' ||
    node['exportKind'] === 'type' ||
    (parts.length > 0 && parts.every((part) => part.isType));
  return { specifier, line, isType, names: parts.filter((part) => !part.isType).map((part) => part.name) };
}
