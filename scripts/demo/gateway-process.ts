import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface GatewayProcess {
  /** For example `http://127.0.0.1:40123`. */
  readonly url: string;
  readonly serviceKey: string;
  /** Ends it with SIGTERM and removes its data. Resolves to its exit code. */
  stop(): Promise<number | null>;
}

const MAIN = fileURLToPath(new URL('../../apps/cloud/src/main.ts', import.meta.url));
const START_MS = 30_000;

/**
 * Starts the real gateway with temporary data on a free port, and reads the address and the first key from its output.
 * Only the environment variables that Node itself needs are passed on. Throws `Error` with the gateway's output if it
 * does not start.
 */
export async function startGatewayProcess(env: Readonly<Record<string, string>>): Promise<GatewayProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), 'csg-demo-'));
  const inherited = Object.fromEntries(
    ['PATH', 'HOME', 'TMPDIR', 'SystemRoot', 'NODE_COMPILE_CACHE'].flatMap((name) =>
      process.env[name] === undefined ? [] : [[name, process.env[name]]],
    ),
  );
  const child = spawn(process.execPath, [MAIN], {
    env: {
      ...inherited,
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
    const late = new Promise<string>((resolve) => setTimeout(resolve, START_MS, 'timeout').unref());
    const outcome = await Promise.race([started, failed, late]);
    if (typeof outcome === 'string') throw new Error(`The gateway did not start: ${outcome}.\n${output}`);
    return { ...outcome, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
