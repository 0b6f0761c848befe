import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AI_DOMAINS, AI_HOSTS } from '@csg/shared/providers';
import { verifyConfig } from '../../cloud-client/verify-config.ts';
import { openJournal } from '../../journal/open-journal.ts';
import type { AgentSettings } from '../settings/read-settings.ts';
import type { StateFiles } from '../settings/state-files.ts';
import { PROBE_HOST } from './device-root.ts';

/** What a root of this device may cover: the domains and hosts of AI vendors that the agent knows, the hosts of the signed configuration, and of its settings. */
export function allowedHosts(
  files: StateFiles,
  settings: Pick<AgentSettings, 'extraHosts'>,
): readonly string[] {
  return [...AI_DOMAINS, ...AI_HOSTS, ...settings.extraHosts, ...signedHosts(files), PROBE_HOST];
}

/**
 * From a copy of the journal: an administrator who opened the user's would leave files that the user cannot write. The
 * content of a link is copied, never the link: what it leads to would be opened with an administrator's rights.
 */
function signedHosts(files: StateFiles): readonly string[] {
  const known = files.enrollment();
  if (known.kind !== 'ok' || !existsSync(files.journal)) return [];
  const folder = mkdtempSync(path.join(tmpdir(), 'content-security-agent-'));
  try {
    const file = path.join(folder, 'journal.sqlite');
    for (const suffix of ['', '-wal'])
      if (existsSync(`${files.journal}${suffix}`))
        copyFileSync(`${files.journal}${suffix}`, `${file}${suffix}`);
    const journal = openJournal({ file, maxEvents: 1, nowMs: 0 });
    const stored = journal.config();
    journal.close();
    const check = verifyConfig(stored?.text ?? '', known.enrollment, null);
    return check.kind === 'ok' ? [...check.config.hosts, ...check.config.blocked_tools] : [];
  } catch {
    return [];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
