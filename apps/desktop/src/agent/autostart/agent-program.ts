/** The program that a service manager starts: `agent run` with the current settings. */
export interface AgentProgram {
  /** The plain Node binary, the agent's program file, and `run`. */
  readonly command: readonly string[];
  /** The `AGENT_*` settings. May contain the password of a company's proxy: files that name it are private. */
  readonly env: Readonly<Record<string, string>>;
  readonly user: string;
  /** Exists only on an enrolled computer: without it, starting the agent makes no sense. */
  readonly enrollmentFile: string;
}

export function agentSettingsIn(
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const own = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[0].startsWith('AGENT_') && Boolean(entry[1]),
  );
  return Object.fromEntries(own);
}
