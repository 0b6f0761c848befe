/**
 * Checks every source file against the tables of docs/modules.md (`X may not import Y, because …`), and rejects module
 * state. Cycles, globals and names of files are for Biome, exports and packages for knip.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { listFiles } from './structure/list-files.ts';
import { stateViolations } from './structure/module-state.ts';
import { moduleViolations, type Violation } from './structure/module-violations.ts';
import { SOURCE_FOLDERS } from './structure/modules.ts';
import { parseSource } from './structure/parse-source.ts';

export function checkModules(root: string): Violation[] {
  return listFiles(root, Object.values(SOURCE_FOLDERS), ['.ts', '.tsx', '.mjs']).flatMap((file) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    const source = parseSource(file, text);
    return [...moduleViolations(file, text, source), ...stateViolations(file, source)];
  });
}

if (import.meta.main) {
  const violations = checkModules(path.resolve(import.meta.dirname, '..'));
  for (const { file, line, text } of violations) console.error(`${file}:${line}  ${text}`);
  if (violations.length > 0) process.exitCode = 1;
}
