import type { RunCommand } from '../../trust/trust-store.ts';

/** Runs commands in order until one fails. Resolves to a sentence for the user, or null on success. */
export async function runSteps(
  run: RunCommand,
  tool: string,
  steps: readonly (readonly string[])[],
): Promise<string | null> {
  for (const args of steps) {
    const { code, stdout, stderr } = await run(tool, args);
    if (code === 0) continue;
    const why = (stderr.trim() || stdout.trim()).split('\n').at(-1) || `code ${code}`;
    return `"${[tool, ...args].join(' ')}" failed: ${why}`;
  }
  return null;
}
