type Env = Readonly<Record<string, string | undefined>>;

/** The variables that Node and the system need to start a process; no settings or secrets of ours. */
const INHERITED = [
  'PATH',
  'HOME',
  'TMPDIR',
  'TEMP',
  'SystemRoot',
  'WINDIR',
  'LOCALAPPDATA',
  'NODE_EXTRA_CA_CERTS',
];

/**
 * Returns the environment of our own processes, which also trust the computer's roots. `compileCache`: a folder that
 * halves the time of a restart, during which nothing is protected.
 */
export function childEnvironment(env: Env, compileCache: string): Record<string, string> {
  const inherited: Record<string, string> = {
    NODE_USE_SYSTEM_CA: '1',
    NODE_COMPILE_CACHE: env['NODE_COMPILE_CACHE'] ?? compileCache,
  };
  for (const name of INHERITED) {
    const value = env[name];
    if (value !== undefined) inherited[name] = value;
  }
  return inherited;
}
