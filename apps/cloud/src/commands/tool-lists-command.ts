import type { ToolLists } from '@csg/shared/contract';
import type { Command } from 'commander';
import { changeToolLists, readToolLists } from '../flows/agent/change-tool-lists.ts';
import type { Shell } from '../run-process.ts';
import { print, withAccount } from './with-storage.ts';

const LISTS = {
  blocked: 'blocked_tools',
  allowed: 'allowed_tools',
  review: 'review_required_tools',
} as const satisfies Record<string, keyof ToolLists>;

interface Options extends Partial<Record<keyof typeof LISTS, string[]>> {
  readonly project?: string;
  readonly json?: boolean;
}

export function addToolListsCommand(program: Command, shell: Shell): void {
  program
    .command('tool-lists')
    .description('show the tool lists of a project, or replace each list that an option names')
    .option('--project <id>', 'id of the project (default: the first)')
    .option('--blocked [names...]', 'blocked tools')
    .option('--allowed [names...]', 'allowed tools; if there are any, all other tools are blocked')
    .option('--review [names...]', 'tools that need approval')
    .option('--json', 'print one JSON object')
    .action((options: Options) =>
      withAccount(shell, async (storage, account) => {
        const projectId = options.project ?? account.projectId;
        let lists = await readToolLists({ storage }, account.organizationId, projectId);
        const given = givenLists(options);
        if (Object.keys(given).length > 0) {
          const admin = {
            organizationId: account.organizationId,
            id: 'operator',
            userId: account.accountId,
          };
          lists = await changeToolLists({ storage }, admin, projectId, { ...lists, ...given });
        }
        print(
          shell,
          options.json,
          { project_id: projectId, ...lists },
          Object.entries(LISTS).map(
            ([name, member]) => `${name.padEnd(8)}  ${lists[member].join(', ') || '(none)'}`,
          ),
        );
      }),
    );
}

function givenLists(options: Options): Partial<ToolLists> {
  const lists: Partial<ToolLists> = {};
  for (const [name, member] of Object.entries(LISTS) as [keyof typeof LISTS, keyof ToolLists][]) {
    const given = options[name];
    if (given !== undefined) lists[member] = Array.isArray(given) ? given : [];
  }
  return lists;
}
