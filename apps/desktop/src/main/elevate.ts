export interface Command {
  readonly file: string;
  readonly args: readonly string[];
}

/**
 * The command run as an administrator, which the system itself confirms. `env` is the environment it needs; on Windows an
 * elevated program inherits the user's environment.
 */
export function elevate(
  { file, args }: Command,
  env: Readonly<Record<string, string>>,
  platform: NodeJS.Platform,
): Command {
  if (platform === 'win32') {
    const list = args.map((arg) => `'"${quoteForPowerShell(arg)}"'`).join(',');
    const start = `Start-Process -FilePath '${quoteForPowerShell(file)}' -ArgumentList ${list} -Verb RunAs -WindowStyle Hidden -Wait -PassThru`;
    return {
      file: 'powershell.exe',
      args: ['-NoProfile', '-NonInteractive', '-Command', `exit (${start}).ExitCode`],
    };
  }
  const settings = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  if (platform === 'darwin') {
    const line = ['/usr/bin/env', ...settings, file, ...args].map(quoteForShell).join(' ');
    // In an AppleScript string, only backslashes and quotes are escaped.
    const script = line.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
    return { file: 'osascript', args: ['-e', `do shell script "${script}" with administrator privileges`] };
  }
  return { file: 'pkexec', args: ['env', ...settings, file, ...args] };
}

function quoteForShell(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

function quoteForPowerShell(word: string): string {
  return word.replaceAll("'", "''");
}
