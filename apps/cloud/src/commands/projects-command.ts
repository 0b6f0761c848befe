import { STRICTNESS_LEVELS, type StrictnessLevel, USE_CASES, type UseCase } from '@csg/shared/contract';
import type { Command } from 'commander';
import { createProject } from '../flows/create-project.ts';
import { deleteProject } from '../flows/delete-project.ts';
import { SYSTEM_CLOCK } from '../gateway/configured-parts.ts';
import type { Shell } from '../run-process.ts';
import { operatorCaller } from './operator-caller.ts';
import { parseOneOf } from './parse-option.ts';
import { print, withAccount } from './with-storage.ts';

interface CreateOptions {
  readonly name: string;
  readonly useCase?: UseCase;
  readonly strictness?: StrictnessLevel;
  readonly failMode?: 'open' | 'closed';
  readonly json?: boolean;
}

/** Lists projects. `config apply` changes them from a file. */
export function addProjectsCommand(program: Command, shell: Shell): void {
  const projects = program.command('projects').description('projects of the first organization');
  projects
    .command('list')
    .description('list projects and their presets')
    .option('--json', 'print one JSON object')
    .action((options: { json?: boolean }) =>
      withAccount(shell, async (storage, { organizationId }) => {
        const items = (await storage.projects.list(organizationId)).map((project) => ({
          id: project.id,
          name: project.name,
          use_case: project.useCase,
          strictness_level: project.strictnessLevel,
          fail_mode: project.failMode,
        }));
        print(shell, options.json, { projects: items }, [
          'Projects:',
          ...items.map(
            (one) => `  ${one.id}  ${`${one.use_case}:${one.strictness_level}`.padEnd(24)}  ${one.name}`,
          ),
        ]);
      }),
    );
  projects
    .command('create')
    .description('create a project')
    .requiredOption('--name <name>', 'name of the project (required)')
    .option('--use-case <name>', `one of ${USE_CASES.join(', ')}`, parseOneOf(USE_CASES))
    .option('--strictness <level>', `one of ${STRICTNESS_LEVELS.join(', ')}`, parseOneOf(STRICTNESS_LEVELS))
    .option('--fail-mode <mode>', 'open or closed', parseOneOf(['open', 'closed'] as const))
    .option('--json', 'print one JSON object')
    .action((options: CreateOptions) =>
      withAccount(shell, async (storage, account, config) => {
        if (options.name.trim() === '') throw new Error('A project needs a name.');
        const caller = await operatorCaller(storage, account, config);
        const { id, name } = await createProject({ storage }, caller, {
          name: options.name.trim(),
          ...(options.useCase === undefined ? {} : { use_case: options.useCase }),
          ...(options.strictness === undefined ? {} : { strictness_level: options.strictness }),
          ...(options.failMode === undefined ? {} : { fail_mode: options.failMode }),
        });
        print(shell, options.json, { id, name }, [`Project "${name}" (${id}) was created.`]);
      }),
    );
  projects
    .command('delete')
    .description('delete a project with its keys, policies and events; its devices are revoked')
    .argument('<id>', 'id of the project, proj_…')
    .option('--json', 'print one JSON object')
    .action((id: string, options: { json?: boolean }) =>
      withAccount(shell, async (storage, account, config) => {
        const caller = await operatorCaller(storage, account, config);
        const log = { error: (_fields: object, message: string) => void shell.stderr.write(`${message}\n`) };
        const deps = { storage, clock: SYSTEM_CLOCK, log, forgetKeys: () => {} };
        await deleteProject(deps, caller, id);
        print(shell, options.json, { id, deleted: true }, [`Project ${id} was deleted.`]);
      }),
    );
}
