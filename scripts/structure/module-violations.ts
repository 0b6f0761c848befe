import path from 'node:path';
import { CONFINED, CONNECTING_GLOBALS } from './confined.ts';
import { importViolations, type Project } from './import-violations.ts';
import {
  ENV_MODULES,
  IMPURE_GLOBALS,
  IMPURE_MEMBERS,
  isPure,
  type Module,
  moduleId,
  moduleOf,
} from './modules.ts';
import type { ParsedSource, Use } from './parse-source.ts';

export interface Violation {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** Longer files deserve a second look; above the limit they are violations, unless they contain data. */
export const LONG_LINES = 300;
const TOO_LONG_LINES = 400;

const KEBAB_CASE = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.test)?\.(?:ts|tsx|mjs)$/;
const VAGUE_CLASS = /(?:Manager|Service|Helper|Utils?)$/;

/** Returns every violation of one source file of the packages. */
export function moduleViolations(file: string, source: ParsedSource, project: Project): Violation[] {
  const module = moduleOf(file);
  const at = (line: number, sentence: string): Violation => ({ file, line, text: sentence });
  const violations: Violation[] = nameViolations(file);
  if (module === undefined) {
    return [
      ...violations,
      at(1, 'this file belongs to no module: add its module to scripts/structure/modules.ts'),
    ];
  }
  for (const imported of source.imports) {
    for (const sentence of importViolations(file, module, imported, project))
      violations.push(at(imported.line, sentence));
  }
  for (const use of source.uses) {
    const sentence = useViolation(file, module, use);
    if (sentence !== undefined) violations.push(at(use.line, sentence));
  }
  if (source.hasDefaultExport)
    violations.push(at(1, 'no default exports: named exports can be searched for'));
  if (source.isBarrel && !isEntryPoint(file, module)) {
    violations.push(at(1, "no barrel files except shared's entry points: import from the declaring file"));
  }
  for (const name of source.classNames.filter((each) => VAGUE_CLASS.test(each))) {
    violations.push(at(1, `class ${name}: name it after its purpose`));
  }
  return violations;
}

/** Returns violations of the rules for every file of the project, in any folder. */
export function nameViolations(file: string): Violation[] {
  const name = path.posix.basename(file);
  return KEBAB_CASE.test(name) ? [] : [{ file, line: 1, text: `${name} is not kebab-case` }];
}

/** Returns a violation of the length limit, if any. */
export function lengthViolation(file: string, text: string, isData: boolean): Violation | undefined {
  const lines = text.split('\n').length - 1;
  if (lines <= TOO_LONG_LINES || isData) return undefined;
  return {
    file,
    line: TOO_LONG_LINES,
    text: `${lines} lines (maximum: ${TOO_LONG_LINES}): split the file`,
  };
}

function useViolation(file: string, module: Module, { name }: Use): string | undefined {
  if (
    isPure(module, file) &&
    (name === 'new Date' || IMPURE_GLOBALS.includes(name) || IMPURE_MEMBERS.includes(name)) &&
    !(module.alsoUses ?? []).some((one) => one.name === name && file.endsWith(`/${module.name}/${one.file}`))
  ) {
    const what = name === 'new Date' ? 'new Date()' : name;
    return `${module.name} may not use ${what}, because it is pure: time, ids and output are arguments`;
  }
  if (name === 'process.env' && !ENV_MODULES.includes(moduleId(module))) {
    return `${module.name} may not read process.env, because settings are arguments from the process edge`;
  }
  const outbound = CONFINED.find(({ packages }) => packages.includes('undici'));
  if (CONNECTING_GLOBALS.includes(name) && outbound?.modules.includes(moduleId(module)) === false) {
    return `${module.name} may not use ${name}, because ${outbound.because} (allowed: ${outbound.modules.join(', ')})`;
  }
  return undefined;
}

function isEntryPoint(file: string, module: Module): boolean {
  return module.package === 'shared' && file === `shared/${module.name}/index.ts`;
}
