import { readFile } from 'node:fs/promises';
import { createDashboardClient, type DashboardCall, GatewayError } from '@csg/client';
import type { Command } from 'commander';
import type { Shell } from '../run-process.ts';
import {
  type Change,
  type CurrentConfig,
  type Fields,
  planChanges,
  planLines,
  readConfigFile,
} from './config-plan.ts';
import { print } from './with-storage.ts';

interface ConfigOptions {
  readonly file: string;
  readonly url: string;
  readonly prune?: boolean;
  readonly detailedExitcode?: boolean;
  readonly json?: boolean;
}

const CHANGES_PLANNED = 2;

/** Applies projects and policies from a file, over the network, with an organization token. */
export function addConfigCommand(program: Command, shell: Shell): void {
  const url = shell.env['GATEWAY_URL'] ?? 'http://127.0.0.1:8787';
  const config = program
    .command('config')
    .description(
      'apply projects and policies from a file (requires ORGANIZATION_TOKEN with the scopes projects and policies)',
    );
  const add = (name: string, description: string): Command =>
    config
      .command(name)
      .description(description)
      .requiredOption('--file <path>', 'JSON with projects and policies (required)')
      .option('--url <address>', 'URL of the running gateway', url)
      .option('--prune', 'also delete policies that the file does not name')
      .option('--json', 'print one JSON object');
  add('plan', 'show what would change; changes nothing')
    .option('--detailed-exitcode', `exit with ${CHANGES_PLANNED} if something would change`)
    .action((options: ConfigOptions) =>
      inWords(shell, async () => {
        const { changes } = await readPlan(shell, options);
        print(shell, options.json, { changes }, planLines(changes));
        if (options.detailedExitcode && changes.length > 0) shell.exitCode = CHANGES_PLANNED;
      }),
    );
  add('apply', 'change the service to match the file').action((options: ConfigOptions) =>
    inWords(shell, async () => {
      const { changes, call, current } = await readPlan(shell, options);
      const projectIds = new Map(current.projects.map(({ id, name }) => [String(name), String(id)]));
      for (const change of changes) await applyChange(call, change, projectIds);
      const done = changes.length === 0 ? [] : ['', 'Applied.'];
      print(shell, options.json, { changes, applied: changes.length }, [...planLines(changes), ...done]);
    }),
  );
}

async function readPlan(shell: Shell, options: ConfigOptions) {
  const token = shell.env['ORGANIZATION_TOKEN'];
  if (token === undefined || token === '') {
    throw new Error(
      'Set ORGANIZATION_TOKEN to an organization token (svc_admin_…) with the scopes projects and policies.',
    );
  }
  const desired = readConfigFile(await readFile(options.file, 'utf8'));
  const call = withRoutes(createDashboardClient({ baseUrl: options.url, token }), options.url);
  const projects = (await call('GET', '/projects')) as Fields[];
  const { policies } = (await call('GET', '/policies')) as { policies: Fields[] };
  const current: CurrentConfig = {
    projects,
    policies: policies.filter((one) => one['from_preset'] !== true),
  };
  return { changes: planChanges(desired, current, options.prune === true), call, current };
}

async function applyChange(
  call: DashboardCall,
  change: Change,
  projectIds: Map<string, string>,
): Promise<void> {
  const { act, kind, name, project, id, version } = change;
  const body = Object.fromEntries(change.fields.map((field) => [field.name, field.to]));
  const path = kind === 'project' ? '/projects' : '/policies';
  if (act === 'delete') await call('DELETE', `${path}/${id}`);
  // Rejected if another admin has changed it since it was read.
  else if (act === 'update')
    await call('PATCH', `${path}/${id}`, version === null ? body : { ...body, version });
  else if (kind === 'policy') {
    const projectId = project === null ? null : projectIds.get(project);
    await call('POST', `${path}?unique_name=true`, { ...body, project_id: projectId });
  } else {
    const { zero_retention: zeroRetention, ...fields } = body;
    const made = (await call('POST', `${path}?unique_name=true`, fields)) as { id: string };
    projectIds.set(name, made.id);
    // This field is accepted only when a project is changed.
    if (zeroRetention !== undefined)
      await call('PATCH', `${path}/${made.id}`, { zero_retention: zeroRetention });
  }
}

/** Adds the route to error messages. */
function withRoutes(call: DashboardCall, url: string): DashboardCall {
  return async (method, path, body) => {
    try {
      return await call(method, path, body);
    } catch (error) {
      if (error instanceof GatewayError) {
        // Another person changed it first: a new plan includes their change.
        const advice = error.code === 'invalid_state' ? ' Run the command again.' : '';
        const route = `${method} ${path.split('?')[0]}`;
        throw new Error(`${route}: ${error.message} (${error.code})${advice}`, { cause: error });
      }
      throw new Error(`The gateway at ${url} cannot be reached: ${(error as Error).message}`, {
        cause: error,
      });
    }
  };
}

/** Prints one sentence, with exit code 1, instead of a stack trace. */
async function inWords(shell: Shell, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    shell.stderr.write(`${(error as Error).message}\n`);
    shell.exitCode = 1;
  }
}
