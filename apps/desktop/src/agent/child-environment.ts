type Env = Readonly<Record<string, string | undefined>>;

/** What Node and the system need to start a process; no setting or secret of ours. */
const KEPT = [
  'PATH',
  'HOME',
  'TMPDIR',
  'TEMP',
  'SystemRoot',
  'WINDIR',
  'LOCALAPPDATA',
  'NODE_COMPILE_CACHE',
  'NODE_EXTRA_CA_CERTS',
];

/** For our own processes: the service is asked over the machine's roots too. */
export function childEnvironment(env: Env): Record<string, string> {
  const kept: Record<string, string> = { NODE_USE_SYSTEM_CA: '1' };
  for (const name of KEPT) {
    const value = env[name];
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}

export function definedOnly(env: Env): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
