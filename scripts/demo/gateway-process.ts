import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { prepareProgram } from '../bootstrap/prepare-program.mjs';
import { startProgress } from '../bootstrap/progress.mjs';

export interface GatewayProcess {
  /** For example `http://127.0.0.1:40123`. */
  readonly url: string;
  readonly serviceKey: string;
  /** Ends it with SIGTERM and removes its data. Resolves to its exit code. */
  stop(): Promise<number | null>;
}

const ROOT = resolve(import.meta.dirname, '../..');
const MAIN = 'apps/cloud/src/main.ts';

/**
 * Starts the real gateway with temporary data on a free port, and reads the address and the first key from its output.
 * Only the environment variables that Node itself needs are passed on. Waits as long as it takes, and shows for what.
 * Throws `Error` with the gateway's output if it does not start.
 */
export async function startGatewayProcess(env: Readonly<Record<string, string>>): Promise<GatewayProcess> {
  const { file, compileCache } = await prepareProgram(ROOT, process.execPath, MAIN);
  const progress = startProgress('Starting the gateway');
  const dataDir = await mkdtemp(join(tmpdir(), 'csg-demo-'));
  const inherited = Object.fromEntries(
    ['PATH', 'HOME', 'TMPDIR', 'SystemRoot'].flatMap((name) =>
      process.env[name] === undefined ? [] : [[name, process.env[name]]],
    ),
  );
  const child = spawn(process.execPath, [file], {
    env: {
      ...inherited,
      NODE_COMPILE_CACHE: compileCache,
      HOST: '127.0.0.1',
      PORT: '0',
      GATEWAY_DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  const stop = async (): Promise<number | null> => {
    child.kill('SIGTERM');
    const [code] = await exited;
    await rm(dataDir, { recursive: true, force: true });
    return code as number | null;
  };
  let output = '';
  try {
    const started = new Promise<{ url: string; serviceKey: string }>((resolve) => {
      child.stderr.on('data', (chunk) => (output += chunk));
      child.stdout.on('data', (chunk) => {
        output += chunk;
        const url = /running at (http:\S+)/.exec(output)?.[1];
        const serviceKey = /^\s*(svc_live_\S+)\s*$/m.exec(output)?.[1];
        if (url !== undefined && serviceKey !== undefined) resolve({ url, serviceKey });
      });
    });
    const failed = exited.then(([code]) => `exit code ${code}`);
    const outcome = await Promise.race([started, failed]);
    if (typeof outcome === 'string') throw new Error(`The gateway did not start: ${outcome}.\n${output}`);
    progress.succeed();
    return { ...outcome, stop };
  } catch (error) {
    progress.fail();
    await stop();
    throw error;
  }
}
