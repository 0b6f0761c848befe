import type { AgentProgram } from './agent-program.ts';

/** A service unit, systemd.service(5). `user` null: a unit of the user's own manager. */
export function systemdUnit({ command, env, enrollmentFile }: AgentProgram, user: string | null): string {
  return [
    '[Unit]',
    'Description=Content Security Agent',
    `ConditionPathExists=${enrollmentFile.replaceAll('%', '%%').replaceAll('\n', '')}`,
    // Disables the start limit: a computer whose proxy fails all day must not stay unprotected.
    'StartLimitIntervalSec=0',
    '',
    '[Service]',
    'Type=exec',
    ...(user === null ? [] : [`User=${user}`]),
    ...Object.entries(env).map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}`),
    `ExecStart=${command.map((part) => quoted(part.replaceAll('$', '$$$$'))).join(' ')}`,
    'Restart=always',
    'RestartSec=3',
    // The watchdog ignores SIGTERM until the proxy setting is back; SIGKILL comes only after that time.
    'KillMode=control-group',
    'TimeoutStopSec=15',
    'NoNewPrivileges=yes',
    'UMask=0077',
    '',
    '[Install]',
    `WantedBy=${user === null ? 'default.target' : 'multi-user.target'}`,
    '',
  ].join('\n');
}

/** systemd.syntax(7): C-style escapes within quotes, and `%` begins a specifier. */
function quoted(value: string): string {
  const escaped = value
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('\n', '\\n')
    .replaceAll('%', '%%');
  return `"${escaped}"`;
}
