/**
 * A real conversation through the gateway, to watch: the gateway as a separate process, the real client packages, a
 * stand-in for the model providers. `npm run demo -- desktop` demonstrates the agent. Exits with 0 if every step is as
 * expected, otherwise with 1.
 */
import { styleText } from 'node:util';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { startTestProvider } from '../test/support/test-provider.ts';
import { runDesktopDemo } from './demo/desktop.ts';
import { type GatewayProcess, startGatewayProcess } from './demo/gateway-process.ts';
import type { DemoParts, Step } from './demo/step.ts';
import { STEPS } from './demo/steps.ts';
import { readArguments } from './options.ts';

type Write = (line: string) => void;
type Color = 'green' | 'yellow' | 'red' | 'dim' | 'bold';

const DECISION_COLORS: Readonly<Record<string, Color>> = { allow: 'green', redact: 'yellow', block: 'red' };
const paint = (color: Color | undefined, text: string): string =>
  color === undefined ? text : styleText(color, text, { stream: process.stdout });

/** Runs the steps in order. Resolves to the number of unexpected results. */
export async function runDemo(write: Write, steps: readonly Step[] = STEPS): Promise<number> {
  const provider = await startTestProvider();
  let gateway: GatewayProcess | undefined;
  try {
    gateway = await startGatewayProcess({
      PROVIDER_OPENAI_URL: provider.url,
      PROVIDER_ANTHROPIC_URL: provider.url,
    });
    const begun = performance.now();
    const { url, serviceKey } = gateway;
    write('');
    write(`  ${paint('bold', 'Content Security Gateway')}  ${url}`);
    write(`  ${paint('dim', 'stand-in provider')}  ${provider.url}`);
    write('');
    write(paint('dim', row('client', 'request', 'decision', 'threat', 'result')));
    const parts: DemoParts = {
      provider,
      openai: new OpenAI({
        baseURL: `${url}/api/v1`,
        apiKey: 'sk-provider-demo',
        defaultHeaders: { 'X-API-Key': serviceKey },
        maxRetries: 0,
      }),
      anthropic: new Anthropic({
        baseURL: `${url}/api`,
        authToken: 'sk-ant-provider-demo',
        defaultHeaders: { 'X-API-Key': serviceKey },
        maxRetries: 0,
      }),
    };
    let failed = 0;
    for (const step of steps) if (!(await runStep(step, parts, write))) failed++;
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    write('');
    if (failed === 0) write(`  All ${steps.length} steps as expected, in ${seconds} s.`);
    else write(paint('red', `  ${failed} of ${steps.length} steps not as expected.`));
    write('');
    return failed;
  } finally {
    await gateway?.stop();
    await provider.close();
  }
}

async function runStep(step: Step, parts: DemoParts, write: Write): Promise<boolean> {
  try {
    const { verdict, happened } = await step.run(parts);
    const threat = verdict.threat === 'none' ? '' : `${verdict.threat} ${verdict.confidence}`;
    write(row(step.client, step.request, verdict.decision, threat, happened));
    if (verdict.decision === step.due) return true;
    throw new Error(`decision: expected "${step.due}", got "${verdict.decision}"`);
  } catch (error) {
    write(paint('red', `  not as expected: ${step.client}, ${step.request}: ${(error as Error).message}`));
    return false;
  }
}

function row(client: string, request: string, decision: string, threat: string, happened: string): string {
  const cells = [client.padEnd(9), request.padEnd(23), decision.padEnd(8), threat.padEnd(25)];
  return `  ${cells.map((cell, i) => (i === 2 ? paint(DECISION_COLORS[decision], cell) : cell)).join('  ')}  ${happened}`;
}

const STORIES: Readonly<Record<string, (write: Write) => Promise<number>>> = {
  service: runDemo,
  desktop: runDesktopDemo,
};

if (import.meta.main) {
  try {
    const { operands } = readArguments({
      command: 'npm run demo --',
      about: `Demonstrates the gateway (STORY: ${Object.keys(STORIES).join(' or ')}).`,
      options: {},
      operands: '[STORY]',
    });
    const [story = 'service'] = operands;
    const run = STORIES[story];
    if (run === undefined)
      throw new Error(`Unknown story "${story}": use ${Object.keys(STORIES).join(' or ')}.`);
    const failed = await run((line) => console.log(line));
    process.exitCode = failed === 0 ? 0 : 1;
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
