import { MIDDLE_MS } from './fill-tables.ts';
import type { RecordedStatement } from './record-statements.ts';

/** Ids in a list: more than the ten from which SQLite has chosen another index. */
const LIST = 200;
const MANY = 20;

/** A statement with values for its placeholders. */
export interface Example {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** Rows that it is limited to, by a limit or a list of ids; at least 1. */
  readonly limit: number;
}

export function exampleOf({ sql, parameters }: RecordedStatement): Example {
  const values: unknown[] = [];
  let limit = 1;
  let at = 0;
  const text = sql.replace(/ in \(\?…\)|limit \?|\?/g, (found) => {
    const kind = parameters[at++];
    if (found.endsWith('…)')) {
      const list = typeof kind === 'string' && kind.startsWith('$') ? LIST : 1;
      for (let n = 1; n <= list; n++) values.push(exampleValue(kind, n));
      limit = Math.max(limit, list);
      return ` in (${Array(list).fill('?').join(', ')})`;
    }
    if (found.startsWith('limit')) limit = Math.max(limit, Number(kind));
    values.push(exampleValue(kind, 7));
    return found;
  });
  return { sql: text, parameters: values, limit };
}

function exampleValue(kind: unknown, n: number): unknown {
  if (kind === '$org') return 'org_1';
  if (kind === '$time') return MIDDLE_MS;
  if (kind === '$text') return `x${n}`;
  if (kind === '$bytes') return Buffer.from(`b${n}`);
  return typeof kind === 'string' && kind.startsWith('$') ? `${kind.slice(1)}_${n}` : kind;
}

/** Virtual-machine steps: of a row that is visited at least (column, comparison, next), and of any statement. */
const STEPS_OF_A_VISIT = 4;
const STEPS_OF_A_STATEMENT = 200;
/** To return a row: its columns, and what surrounds them. */
const STEPS_OF_A_RESULT = 60;
/** To change a row, in addition: its entry in each index. */
const STEPS_OF_AN_ENTRY = 12;

/**
 * Returns how many times more rows SQLite visited than the statement returns or is limited to, at least; 0 to 1: none.
 * `indexes`: those of the table that it changes.
 */
export function sqliteFactor(steps: number, returned: number, limit: number, indexes: number): number {
  const ofAResult = STEPS_OF_A_RESULT + STEPS_OF_AN_ENTRY * indexes;
  const visited = (steps - STEPS_OF_A_STATEMENT - ofAResult * returned) / STEPS_OF_A_VISIT;
  return visited / Math.max(returned, limit);
}

export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** The same of PostgreSQL's plan. */
export function postgresFactor(plan: PlanNode, limit: number): number {
  // What changes rows and returns none has them in the node below.
  const returned = Math.max(...[plan, ...(plan.Plans ?? [])].map((node) => node['Actual Rows']));
  return visitedBy(plan) / Math.max(returned, limit);
}

function visitedBy(node: PlanNode): number {
  const type = node['Node Type'];
  const isScan =
    type.endsWith('Scan') && !/^(?:CTE|Subquery|WorkTable|Function|Values|Bitmap Heap)/.test(type);
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  const own = isScan ? node['Actual Rows'] + removed : 0;
  return (node.Plans ?? []).reduce((sum, child) => sum + visitedBy(child), own * node['Actual Loops']);
}

export const isTooCostly = (factor: number): boolean => factor > MANY;
