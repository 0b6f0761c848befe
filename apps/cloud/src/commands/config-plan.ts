import { changeProjectSchema, createPolicySchema } from '@csg/shared/contract';

/** An object in the file or in the service. */
export type Fields = Readonly<Record<string, unknown>>;

/** Projects and policies as described in a file. Both are identified by name, policies within their project. */
export interface DesiredConfig {
  readonly projects: readonly Fields[];
  readonly policies: readonly Fields[];
}

/** Current state of the service. */
export interface CurrentConfig {
  readonly projects: readonly Fields[];
  /** Without the policies of presets. */
  readonly policies: readonly Fields[];
}

export interface Change {
  readonly act: 'create' | 'update' | 'delete';
  readonly kind: 'project' | 'policy';
  readonly name: string;
  /** Name of the project of a policy; null: the whole account. */
  readonly project: string | null;
  /** Id of the existing object; null if it is to be created. */
  readonly id: string | null;
  /** Version of the policy when it was read. */
  readonly version: number | null;
  readonly fields: readonly { readonly name: string; readonly from: unknown; readonly to: unknown }[];
}

const PROJECT_FIELDS = new Set(Object.keys(changeProjectSchema.properties));
const POLICY_FIELDS = new Set(['project', ...Object.keys(createPolicySchema.properties)]);
POLICY_FIELDS.delete('project_id');

/** Reads a file. Throws one sentence for its author. */
export function readConfigFile(text: string): DesiredConfig {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch (error) {
    throw new Error(`The file is not JSON: ${(error as Error).message}`);
  }
  if (!isFields(file)) throw new Error('The file must contain an object with "projects" and "policies".');
  const unknown = Object.keys(file).find((name) => name !== 'projects' && name !== 'policies');
  if (unknown !== undefined)
    throw new Error(`Unknown field "${unknown}". A file contains "projects" and "policies".`);
  const projects = readList(file, 'projects', PROJECT_FIELDS, ({ name }) => String(name));
  const policies = readList(
    file,
    'policies',
    POLICY_FIELDS,
    ({ name, project }) => `${name} (project ${project ?? 'none'})`,
  );
  return { projects, policies };
}

function readList(
  file: Fields,
  list: 'projects' | 'policies',
  known: ReadonlySet<string>,
  identityOf: (item: Fields) => string,
): readonly Fields[] {
  const items = file[list] ?? [];
  if (!Array.isArray(items)) throw new Error(`"${list}" must be a list.`);
  const seen = new Set<string>();
  return items.map((item: unknown, index): Fields => {
    if (!isFields(item) || typeof item['name'] !== 'string' || item['name'] === '') {
      throw new Error(`${list}[${index}] must be an object with a name.`);
    }
    const unknown = Object.keys(item).find((name) => !known.has(name));
    if (unknown !== undefined) throw new Error(`${list}[${index}] has the unknown field "${unknown}".`);
    const identity = identityOf(item);
    if (seen.has(identity)) throw new Error(`${list} has ${identity} twice.`);
    seen.add(identity);
    return item;
  });
}

/** Returns the changes that make the service match the file. Fields that the file does not contain stay unchanged. */
export function planChanges(desired: DesiredConfig, current: CurrentConfig, prune: boolean): Change[] {
  const projectNames = new Map(current.projects.map(({ id, name }) => [id, String(name)]));
  const projectOf = ({ project_id: id }: Fields) =>
    id == null ? null : (projectNames.get(id) ?? String(id));
  const known = new Set([...projectNames.values(), ...desired.projects.map(({ name }) => String(name))]);
  for (const { name, project } of desired.policies) {
    if (project != null && !known.has(String(project))) {
      throw new Error(
        `Policy "${name}" names the project "${project}", which neither the file nor the service has.`,
      );
    }
  }
  const projects = desired.projects.flatMap((wanted) => {
    const found = only(current.projects, 'project', ({ name }) => name === wanted['name']);
    return changeTo('project', wanted, found, null);
  });
  const policies = desired.policies.flatMap(({ project = null, ...wanted }) => {
    const isSame = (one: Fields) => one['name'] === wanted['name'] && projectOf(one) === project;
    return changeTo('policy', wanted, only(current.policies, 'policy', isSame), project as string | null);
  });
  const isKept = (policy: Fields) =>
    desired.policies.some(
      ({ name, project = null }) => name === policy['name'] && project === projectOf(policy),
    );
  const removed = prune ? current.policies.filter((policy) => !isKept(policy)) : [];
  return [
    ...projects,
    ...policies,
    ...removed.map(
      (policy): Change => ({
        ...{ act: 'delete', kind: 'policy', name: String(policy['name']), project: projectOf(policy) },
        ...{ id: String(policy['id']), version: null, fields: [] },
      }),
    ),
  ];
}

function only(items: readonly Fields[], kind: string, isMatch: (one: Fields) => boolean): Fields | null {
  const found = items.filter(isMatch);
  if (found.length > 1) {
    throw new Error(
      `The service has ${found.length} ${kind} records named "${found[0]!['name']}". Rename them first.`,
    );
  }
  return found[0] ?? null;
}

function changeTo(
  kind: Change['kind'],
  wanted: Fields,
  found: Fields | null,
  project: string | null,
): Change[] {
  const fields = Object.entries(wanted)
    .filter(([name, to]) => found === null || !isEqual(found[name], to))
    .map(([name, to]) => ({ name, from: found?.[name] ?? null, to }));
  if (found !== null && fields.length === 0) return [];
  return [
    {
      ...{ act: found === null ? 'create' : 'update', kind, name: String(wanted['name']), project, fields },
      id: found === null ? null : String(found['id']),
      version: typeof found?.['version'] === 'number' ? found['version'] : null,
    },
  ];
}

/** Returns whether two values are equivalent: in any order of fields; missing equals null, empty and false. */
function isEqual(one: unknown, other: unknown): boolean {
  return spell(one) === spell(other);
}

function spell(value: unknown): string {
  if (value == null || value === '' || value === false) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'null' : `[${value.map(spell).join()}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const fields = Object.entries(value)
    .filter(([, inner]) => spell(inner) !== 'null')
    .map(([name, inner]) => `${JSON.stringify(name)}:${spell(inner)}`)
    .sort();
  return fields.length === 0 ? 'null' : `{${fields.join()}}`;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const SIGNS = { create: '+', update: '~', delete: '-' } as const;

/** Formats a plan for a person. */
export function planLines(changes: readonly Change[]): string[] {
  if (changes.length === 0) return ['No changes. The service matches the file.'];
  const lines = changes.flatMap(({ act, kind, name, project, fields }) => [
    `${SIGNS[act]} ${kind} "${name}"${project === null ? '' : ` in project "${project}"`}`,
    ...fields
      .filter((field) => field.name !== 'name')
      .map((field) => {
        const from = act === 'update' ? `${JSON.stringify(field.from)} -> ` : '';
        return `    ${field.name}: ${from}${JSON.stringify(field.to)}`;
      }),
  ]);
  const count = (act: Change['act']) => changes.filter((one) => one.act === act).length;
  return [
    ...lines,
    '',
    `${count('create')} to create, ${count('update')} to change, ${count('delete')} to delete.`,
  ];
}
