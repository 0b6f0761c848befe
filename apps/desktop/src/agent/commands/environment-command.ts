import { getCACertificates } from 'node:tls';
import { type EnvironmentHint, environmentHints, makeBundle } from '../../trust/environment-hints.ts';
import { readTrustedRoot } from '../host/device-root.ts';
import { type AgentParts, folderWriteError } from '../host/open-agent.ts';
import { AgentError } from '../settings/read-settings.ts';

/**
 * Returns the settings for programs that ignore the computer's trust stores and proxy setting. `proxyPort` null: the
 * agent does not run, so only the trust settings are returned. Writes the bundle that some programs use instead of the
 * computer's roots. Throws AgentError if there is no certificate.
 */
export function readEnvironment(
  { files }: Pick<AgentParts, 'files'>,
  proxyPort: number | null,
): readonly EnvironmentHint[] {
  const root = readTrustedRoot(files);
  if (root === null) throw new AgentError('This computer has no certificate. Enroll it first.');
  const systemRoots = getCACertificates('system');
  try {
    files.write(
      files.bundle,
      makeBundle(systemRoots.length > 0 ? systemRoots : getCACertificates('bundled'), root.pem),
      0o644,
    );
  } catch (error) {
    throw folderWriteError(files, error);
  }
  const trust = environmentHints(root.path, files.bundle);
  if (proxyPort === null) return trust;
  const url = `http://127.0.0.1:${proxyPort}`;
  return [
    ...trust,
    { name: 'HTTPS_PROXY', value: url, for: 'most programs' },
    { name: 'https_proxy', value: url, for: 'curl, git, Python' },
    { name: 'NO_PROXY', value: 'localhost,127.0.0.1,::1', for: 'most programs' },
    { name: 'NODE_USE_ENV_PROXY', value: '1', for: 'Node' },
  ];
}

/** Returns lines for `eval "$(agent env)"`, or for PowerShell. */
export function environmentLines(
  hints: readonly EnvironmentHint[],
  platform: NodeJS.Platform,
): readonly string[] {
  return hints.map(({ name, value }) =>
    platform === 'win32'
      ? `$env:${name} = '${value.replaceAll("'", "''")}'`
      : `export ${name}='${value.replaceAll("'", "'\\''")}'`,
  );
}
