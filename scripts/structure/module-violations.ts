import { builtinModules } from 'node:module';
import path from 'node:path';
import { CONFINED, type Confined, entryPointOf, MODULES, type Module, moduleOf } from './modules.ts';
import type { Import, ParsedSource } from './parse-source.ts';

export interface Violation {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** Exports of node's own modules that open connections; their types may be used anywhere. */
const CONNECTING: Readonly<Record<string, readonly string[]>> = {
  'node:http': ['request', 'get', 'Agent', 'ClientRequest', 'globalAgent'],
  'node:net': ['connect', 'createConnection', 'Socket'],
  'node:tls': ['connect', 'TLSSocket'],
};

/** What Biome's rule for globals does not see. */
const CLOCK = /\b(?:Date\.now|Math\.random)\b|\bnew Date\(\)/g;

/** Returns every forbidden import of a source file of the packages, and the clock in files that must be pure. */
export function moduleViolations(file: string, text: string, { imports }: ParsedSource): Violation[] {
  const module = moduleOf(file);
  if (module === undefined)
    return [{ file, line: 1, text: 'this file belongs to no module: add its module to docs/modules.md' }];
  const isPure = module.isPure || module.pureFiles.some((name) => file.endsWith(`/${module.name}/${name}`));
  const violations = imports.flatMap((imported) => {
    const what = importViolation(file, module, imported, isPure);
    return what === undefined
      ? []
      : [{ file, line: imported.line, text: `${module.name} may not import ${what}` }];
  });
  for (const { 0: use, index } of isPure ? text.matchAll(CLOCK) : [])
    violations.push({
      ...{ file, line: text.slice(0, index).split('\n').length },
      text: `${module.name} may not use ${use}, because it is pure: time, ids and output are arguments`,
    });
  return violations;
}

/** Returns what a module may not import, and why; undefined if it may. */
function importViolation(
  file: string,
  module: Module,
  imported: Import,
  isPure: boolean,
): string | undefined {
  const { specifier } = imported;
  if (specifier.startsWith('.')) return relativeViolation(file, module, imported);
  if (!specifier.startsWith('@csg/')) return packageViolation(module, imported, isPure);
  const entryPoints = MODULES.filter((other) => other.package === 'shared').map(entryPointOf);
  if (!entryPoints.includes(specifier))
    return `${specifier}, because shared has only these entry points: ${entryPoints.join(', ')}`;
  return module.package === 'shared'
    ? `${specifier}, because inside shared, modules use the relative path`
    : undefined;
}

function relativeViolation(
  file: string,
  { package: own, name, level, about, typesOnly }: Module,
  { specifier, isType }: Import,
): string | undefined {
  const target = path.posix.join(path.posix.dirname(file), specifier);
  const other = moduleOf(target);
  if (other === undefined) return `${target}, because shipped code imports no script, test or tool`;
  if (other.package !== own)
    return other.package === 'shared'
      ? `${target}, because apps import shared only through its entry points: ${entryPointOf(other)}`
      : `${target}, because apps never import each other`;
  if (other.name === name) return undefined;
  if (own === 'shared' && target !== `shared/${other.name}/index.ts`)
    return `${target}, because modules of shared meet only at ../${other.name}/index.ts`;
  if (other.level > level) return `${other.name}, because ${name} has a lower level: ${about}`;
  if (other.level === level) return `${other.name}, because both have the same level: ${about}`;
  if (!isType && typesOnly.includes(other.name))
    return `values of ${other.name}, because its values are passed in by the wiring`;
  return undefined;
}

function packageViolation(
  module: Module,
  { specifier, isType, names }: Import,
  isPure: boolean,
): string | undefined {
  const isBuiltin = specifier.startsWith('node:') || builtinModules.includes(specifier);
  if (isBuiltin && isPure) return `${specifier}, because it is pure: ${module.about}`;
  const isAllowed = ({ modules }: Confined): boolean => modules.includes(`${module.package}/${module.name}`);
  const confined = CONFINED.find(({ packages }) => packages.some((pattern) => matches(pattern, specifier)));
  if (confined !== undefined && !isAllowed(confined)) return refusal(specifier, confined);
  const outbound = CONFINED.find(({ packages }) => packages.includes('undici'))!;
  if (isType || isAllowed(outbound)) return undefined;
  const opens = names.find((name) => CONNECTING[specifier]?.some((each) => name === each || name === '*'));
  return opens && refusal(opens === '*' ? `all of ${specifier}` : `${opens} of ${specifier}`, outbound);
}

function refusal(what: string, { modules, because }: Confined): string {
  return `${what}, because ${because} (allowed: ${modules.join(', ')})`;
}

function matches(pattern: string, specifier: string): boolean {
  if (pattern.endsWith('/*')) return specifier.startsWith(pattern.slice(0, -1));
  return specifier === pattern || specifier.startsWith(`${pattern}/`);
}
