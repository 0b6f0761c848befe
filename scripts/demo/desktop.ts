import { styleText } from 'node:util';
import { openAgentTestEnv } from '../../test/support/desktop/agent-test-env.ts';
import { startProgress } from '../bootstrap/progress.mjs';
import { DESKTOP_STEPS, type DesktopParts, type DesktopStep } from './desktop-steps.ts';
import { withCauses } from './step.ts';

type Write = (line: string) => void;

const paint = (color: 'bold' | 'dim' | 'red', text: string): string =>
  styleText(color, text, { stream: process.stdout });

/**
 * An employee's day: a real agent, a real service and a stand-in provider with TLS, all on loopback; the proxy setting
 * of this computer is left alone. Resolves to the number of unexpected results.
 */
export async function runDesktopDemo(
  write: Write,
  steps: readonly DesktopStep[] = DESKTOP_STEPS,
): Promise<number> {
  const progress = startProgress('Starting a gateway and an agent');
  const testEnv = await openAgentTestEnv().catch((error: unknown) => {
    progress.fail();
    throw error;
  });
  progress.succeed();
  const begun = performance.now();
  const parts: DesktopParts = { testEnv };
  try {
    write('');
    write(`  ${paint('bold', 'Content Security Agent')}  gateway ${testEnv.gateway.address}`);
    write(`  ${paint('dim', 'stand-in provider')}  https://localhost:${testEnv.testProvider.port}`);
    write('');
    let failed = 0;
    for (const step of steps) {
      const name = step.name.padEnd(22);
      try {
        write(`  ${paint('bold', name)}  ${await step.run(parts)}`);
      } catch (error) {
        failed++;
        write(paint('red', `  ${name}  not as expected: ${withCauses(error)}`));
      }
    }
    const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
    write('');
    if (failed === 0) write(`  All ${steps.length} steps as expected, in ${seconds} s.`);
    else write(paint('red', `  ${failed} of ${steps.length} steps not as expected.`));
    write('');
    return failed;
  } finally {
    await testEnv.close();
  }
}
