import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { coverageEnv, markRun, readCoverage } from '../../testing/coverage/read-coverage.ts';
import type { Around } from '../../testing/run-test-files.ts';
import { statementsOf } from './statements.ts';

/** The statements of each source file: 1 if it ran, else 0. */
export type Ran = Map<string, Uint8Array>;

/**
 * Runs test files and collects the coverage of all their processes. Node's output is read and removed after each group
 * of files, because that of a complete run would fill a disk.
 */
export function collectCoverage(
  root: string,
  sources: ReadonlySet<string>,
  isAlone: boolean,
  onRan: (tests: readonly string[], ran: Ran) => void,
): Around {
  const statements = new Map<string, readonly number[]>();
  const offsetsOf = (file: string) => {
    const known = statements.get(file) ?? statementsOf(file, readFileSync(path.join(root, file), 'utf8'));
    statements.set(file, known);
    return known;
  };
  return {
    isAlone,
    async runGroup(files, run) {
      const folder = mkdtempSync(path.join(os.tmpdir(), 'csg-coverage-'));
      const raw = path.join(folder, 'raw');
      try {
        const end = await run({ ...process.env, ...coverageEnv(raw) });
        const ran: Ran = new Map();
        if (existsSync(raw))
          readCoverage(raw, root, (file, ranges) => {
            if (!sources.has(file)) return;
            const marks = ran.get(file) ?? new Uint8Array(offsetsOf(file).length);
            markRun(ranges, offsetsOf(file), marks);
            ran.set(file, marks);
          });
        onRan(
          files.map((file) => path.relative(root, file)),
          ran,
        );
        return end;
      } finally {
        rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
      }
    },
  };
}
