import { existsSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { installPackages } from '../../../install-packages.ts';
import { AGENTS, type ComparedAgent } from './agents.ts';
import { compareClients } from './compare.ts';
import type { Compared, Way } from './differences.ts';
import { explanationOf, staleIn } from './explained.ts';
import type { Installed } from './run-task.ts';
import { SDKS } from './sdks.ts';
import { TASKS } from './tasks.ts';

interface ComparisonOptions {
  readonly install?: boolean | undefined;
  readonly client?: readonly string[] | undefined;
  readonly task?: readonly string[] | undefined;
  readonly way?: readonly string[] | undefined;
  readonly newest?: boolean | undefined;
  readonly version?: readonly string[] | undefined;
  readonly table?: string | undefined;
}

const WAYS: readonly Way[] = ['gateway', 'device'];

/** `npm run lab -- clients --compare`: prints each difference, and returns the exit code: 1 if one has no explanation. */
export async function runComparison(options: ComparisonOptions): Promise<0 | 1> {
  const isChosen = (name: string, chosen: readonly string[] | undefined): boolean =>
    chosen === undefined || chosen.some((one) => one.toLowerCase() === name.toLowerCase());
  const clients = await installed(options, (name) => isChosen(name, options.client));
  const tasks = TASKS.filter(({ name }) => isChosen(name, options.task));
  const ways = WAYS.filter((way) => isChosen(way, options.way));
  if (clients.length === 0) console.log('No client is installed. Try again with --install.');
  const all = await compareClients(clients, tasks, ways, (one) => console.log(lineOf(one)));
  const clean = all.filter((one) => differencesOf(one).length === 0).length;
  const faults = all.filter(isFault).length;
  console.log(
    `\n${clean} of ${all.length} tasks without a difference, ${faults} with one that is not explained.`,
  );
  if (options.table !== undefined) writeFileSync(options.table, tableOf(all, ways));
  return all.length > 0 && faults === 0 ? 0 : 1;
}

/** Each version is installed by itself, outside of the project: it stays when node_modules is made anew. */
async function installed(
  options: ComparisonOptions,
  isChosen: (name: string) => boolean,
): Promise<Installed[]> {
  const cache = process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache');
  const found: Installed[] = [];
  for (const agent of [...AGENTS, ...SDKS].filter(({ name }) => isChosen(name)))
    for (const version of versionsOf(agent, options)) {
      const name = agent.name
        .toLowerCase()
        .replaceAll(/[ /]+/g, '-')
        .replace(/^@|,.*/g, '');
      const folder = path.join(cache, 'content-security-gateway/clients', `${name}@${version}`);
      if (options.install === true) await installPackages(folder, { [agent.package]: version });
      if (agent.programs.some((one) => existsSync(path.join(folder, 'node_modules', one))))
        found.push({ agent, version, folder });
      else console.log(`${agent.name} ${version} is not installed (--install).`);
    }
  return found;
}

function versionsOf({ versions }: ComparedAgent, { newest, version }: ComparisonOptions): readonly string[] {
  const all = versions.filter((one) => one !== undefined);
  const chosen = newest === true ? all.slice(0, 1) : all;
  return chosen.filter((one) => version === undefined || version.includes(one));
}

const differencesOf = (compared: Compared) =>
  WAYS.flatMap((way) =>
    (compared.differences[way] ?? []).map((one) => ({ way, ...one, why: explanationOf(compared, way, one) })),
  );

/** A difference without an explanation, or an explanation without a difference. */
const isFault = (compared: Compared): boolean =>
  staleIn(compared).length > 0 || differencesOf(compared).some(({ why }) => why === null);

function lineOf(compared: Compared): string {
  const found = [
    ...differencesOf(compared).map(
      ({ way, what, detail, why }) => `\n    ${way}, ${what}: ${detail}${why === null ? '' : ` (${why})`}`,
    ),
    ...staleIn(compared).map((why) => `\n    explained, but no difference: ${why}`),
  ];
  const { client, version, task, calls } = compared;
  return `${client} ${version}, ${task}: ${calls} calls${found.length === 0 ? ', no difference' : found.join('')}`;
}

/** One row for each client, version and task, for the documents. */
function tableOf(all: readonly Compared[], ways: readonly Way[]): string {
  const cell = (compared: Compared, way: Way): string => {
    const found = compared.differences[way] ?? [];
    const told = found.map((one) => explanationOf(compared, way, one) ?? `${one.what}: ${one.detail}`);
    const shown = [...new Set(told)].join('; ');
    return found.length === 0 ? 'none' : shown.replaceAll('|', '\\|').replaceAll('\n', ' ').slice(0, 300);
  };
  return [
    `| client | version | task | calls | ${ways.join(' | ')} |`,
    `|---|---|---|---|${ways.map(() => '---').join('|')}|`,
    ...all.map(
      (one) =>
        `| ${one.client} | ${one.version} | ${one.task} | ${one.calls} | ${ways.map((way) => cell(one, way)).join(' | ')} |`,
    ),
    '',
  ].join('\n');
}
