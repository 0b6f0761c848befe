import { createRunCommand } from '../trust/run-command.ts';
import type { AgentCommands } from './agent-commands.ts';
import type { AgentLink } from './agent-link.ts';
import type { LoginItem } from './login-item.ts';
import { enrollManaged, findManagedFile, managedFileProblem } from './managed-file.ts';
import type { AppSettings } from './read-app-settings.ts';
import type { createNotifier } from './show-notice.ts';

const PAUSE_MS = 60_000;

export interface EnrollByFile {
  readonly settings: AppSettings;
  readonly link: Pick<AgentLink, 'status' | 'retryNow'>;
  readonly commands: Pick<AgentCommands, 'run'>;
  readonly notify: ReturnType<typeof createNotifier>;
  readonly loginItem: Pick<LoginItem, 'set'>;
  readonly signal: AbortSignal;
}

/** Enrolls this computer with the file that an administrator put there, if there is one, until it succeeds. */
export function enrollByFile({ settings, link, commands, notify, loginItem, signal }: EnrollByFile): void {
  const { platform } = settings.agent;
  const run = createRunCommand(settings.agentEnv);
  const managed = findManagedFile(platform, settings.agentEnv);
  if (managed === null || link.status().enrolled) return;
  void enrollManaged({
    async tryNow() {
      const problem = await managedFileProblem(managed, platform, run);
      if (problem !== null) {
        notify({ title: 'Not enrolled', body: problem, page: '#/', actions: [] });
        return true;
      }
      const done = await commands.run('enroll', '--managed', managed.path).catch(() => null);
      if (done?.code !== 0) return link.status().enrolled;
      loginItem.set(true);
      link.retryNow();
      return true;
    },
    firstPauseMs: PAUSE_MS,
    longestPauseMs: 60 * PAUSE_MS,
    signal,
  });
}
