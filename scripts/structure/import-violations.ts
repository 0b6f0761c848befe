import { builtinModules } from 'node:module';
import path from 'node:path';
import { CONFINED, CONNECTING, type Confined } from './confined.ts';
import { entryPointOf, isPure, MODULES, type Module, moduleId, moduleOf, SOURCE_FOLDERS } from './modules.ts';
import type { Import } from './parse-source.ts';

/** The project data against which an import is checked. */
export interface Project {
  /** Every source file, as a path from the root. */
  readonly files: ReadonlySet<string>;
  /** Names of npm packages that the package of this module may import. */
  readonly dependencies: (module: Module) => ReadonlySet<string>;
}

/** Returns sentences about one import of one source file; empty if it is allowed. */
export function importViolations(file: string, module: Module, imported: Import, project: Project): string[] {
  const { specifier } = imported;
  if (specifier.startsWith('.')) return relativeViolations(file, module, imported, project);
  if (specifier.startsWith('@csg/')) return entryPointViolations(module, specifier);
  return packageViolations(file, module, imported, project);
}

function relativeViolations(
  file: string,
  module: Module,
  { specifier, isType }: Import,
  { files }: Project,
): string[] {
  const target = path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier));
  if (!files.has(target)) return [`${module.name} imports ${specifier}, which does not exist`];
  const other = moduleOf(target);
  if (other === undefined) {
    return [`${module.name} may not import ${target}, because shipped code imports no script, test or tool`];
  }
  if (other.package !== module.package) {
    return other.package === 'shared'
      ? [
          `${module.name} may not import ${target}, because apps import shared only through its entry points: ${entryPointOf(other)}`,
        ]
      : [`${module.name} may not import ${target}, because apps never import each other`];
  }
  if (other === module) return [];
  if (module.package === 'shared' && target !== `shared/${other.name}/index.ts`) {
    return [
      `${module.name} may not import ${target}, because modules of shared meet only at ../${other.name}/index.ts`,
    ];
  }
  if (other.level > module.level) {
    return [
      `${module.name} may not import ${other.name}, because ${module.name} has a lower level: ${module.about}`,
    ];
  }
  if (other.level === module.level) {
    return [`${module.name} may not import ${other.name}, because both have the same level: ${module.about}`];
  }
  if (!isType && module.typesOnly?.includes(other.name)) {
    return [
      `${module.name} may import only types from ${other.name}, because its values are passed in by the wiring`,
    ];
  }
  return [];
}

function entryPointViolations(module: Module, specifier: string): string[] {
  const entryPoints = MODULES.filter(({ package: name }) => name === 'shared').map(entryPointOf);
  if (!entryPoints.includes(specifier)) {
    return [
      `${module.name} may not import ${specifier}, because shared has only these entry points: ${entryPoints.join(', ')}`,
    ];
  }
  if (module.package === 'shared') {
    return [
      `${module.name} may not import ${specifier}, because inside shared, modules use the relative path`,
    ];
  }
  return [];
}

function packageViolations(
  file: string,
  module: Module,
  { specifier, isType, names }: Import,
  { dependencies }: Project,
): string[] {
  const isBuiltin = specifier.startsWith('node:') || builtinModules.includes(specifier);
  if (isBuiltin && !specifier.startsWith('node:')) {
    return [`${module.name} imports ${specifier}; write node:${specifier}`];
  }
  if (isBuiltin && isPure(module, file)) {
    return [`${module.name} may not import ${specifier}, because it is pure: ${module.about}`];
  }
  const name = packageName(specifier);
  if (!isBuiltin && !dependencies(module).has(name)) {
    return [`${module.name} imports ${name}, which ${manifestOf(module)} does not list`];
  }
  const confined = CONFINED.find(({ packages }) => packages.some((pattern) => matches(pattern, specifier)));
  if (confined !== undefined && !confined.modules.includes(moduleId(module)))
    return [refusal(module, specifier, confined)];
  const connecting = isType
    ? []
    : names.filter((each) => CONNECTING[specifier]?.includes(each) || each === '*');
  const outbound = CONFINED.find(({ packages }) => packages.includes('undici'));
  if (outbound === undefined || !(specifier in CONNECTING) || outbound.modules.includes(moduleId(module)))
    return [];
  return connecting.map((each) =>
    refusal(module, each === '*' ? `all of ${specifier}` : `${each} of ${specifier}`, outbound),
  );
}

function refusal(module: Module, what: string, { modules, because }: Confined): string {
  return `${module.name} may not import ${what}, because ${because} (allowed: ${modules.join(', ')})`;
}

function matches(pattern: string, specifier: string): boolean {
  if (pattern.endsWith('/*')) return specifier.startsWith(pattern.slice(0, -1));
  return specifier === pattern || specifier.startsWith(`${pattern}/`);
}

function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

export function manifestOf(module: Module): string {
  if (module.name === 'client') return 'shared/client/package.json';
  return `${SOURCE_FOLDERS[module.package].replace(/\/src$/, '')}/package.json`;
}
