import type { DeviceConfig } from '@csg/shared/contract';
import { parseHookInput } from '@csg/shared/providers';
import { verifyConfig } from '../../cloud-client/verify-config.ts';
import type { AgentParts } from '../host/open-agent.ts';
import { withService } from '../service/device-service.ts';

type Parts = Pick<AgentParts, 'files' | 'vault' | 'serviceProxy' | 'openJournal'>;

/** The result of a hook's process. Exit code 2 denies for every coding agent, with the reason on standard error. */
export interface HookOutput {
  readonly reply: object;
  readonly problem: string | null;
  readonly exitCode: 0 | 2;
}

const DENIED = 2;

/**
 * Answers a hook of a coding agent through the service, or without it through the engine on this computer. If neither
 * works, the configuration decides: failing closed denies, failing open allows. An unreadable configuration may have
 * been set to fail closed, so it denies.
 */
export async function runHook(parts: Parts, input: string, nowMs: number): Promise<HookOutput> {
  let problem: string;
  try {
    const body = readBody(input);
    const outcome = await askService(parts, body);
    if (outcome.kind === 'ok') return { reply: outcome.value, problem: null, exitCode: 0 };
    const config = readConfig(parts);
    if (config === 'damaged') return undecided(`${outcome.problem} ${UNKNOWN_POLICY}`, true);
    if (config === null) return undecided(outcome.problem, false);
    // Loaded late: while the service is reachable, a hook does not need the engine.
    const { answerHookLocally } = await import('./answer-hook-locally.ts');
    return { reply: answerHookLocally(config, body, nowMs), problem: outcome.problem, exitCode: 0 };
  } catch (error) {
    problem = (error as Error).message;
  }
  const config = readConfig(parts);
  return undecided(problem, config === 'damaged' || config?.fail_closed === true);
}

const UNKNOWN_POLICY =
  'The policy of this computer cannot be read, so this was denied. Start the agent, or enroll this computer again.';

function undecided(problem: string, isClosed: boolean): HookOutput {
  return { reply: {}, problem, exitCode: isClosed ? DENIED : 0 };
}

function readBody(input: string): Readonly<Record<string, unknown>> {
  const body = parseHookInput(input);
  if (body !== null) return body;
  throw new Error('The hook received no response: its input on standard input must be one JSON object.');
}

async function askService(
  parts: Parts,
  body: object,
): Promise<{ kind: 'ok'; value: object } | { kind: 'none'; problem: string }> {
  try {
    const outcome = await withService(parts, (client) => client.answerHook(body));
    if (outcome.kind === 'ok') return outcome;
    return { kind: 'none', problem: outcome.kind === 'refused' ? outcome.message : outcome.reason };
  } catch (error) {
    return { kind: 'none', problem: (error as Error).message };
  }
}

/** Reads the last configuration that the service signed; null: this computer has none. */
function readConfig({ files, openJournal }: Parts): DeviceConfig | 'damaged' | null {
  const known = files.enrollment();
  if (known.kind !== 'ok') return known.kind === 'damaged' ? 'damaged' : null;
  try {
    const journal = openJournal();
    const stored = journal.config();
    journal.close();
    if (stored === null) return null;
    const check = verifyConfig(stored.text, known.enrollment, null);
    return check.kind === 'ok' ? check.config : 'damaged';
  } catch {
    return 'damaged';
  }
}
