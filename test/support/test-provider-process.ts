import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface TestProviderProcess {
  readonly url: string;
  stop(): Promise<void>;
}

/** The stand-in provider as a process of its own, so that under load it does not share a thread with the test. */
export async function startTestProviderProcess(): Promise<TestProviderProcess> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('./test-provider.ts', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  const url = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk;
      const found = /listening on (\S+)/.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    });
    ended.then(() => reject(new Error(`the provider did not start: ${output}`)), reject);
  });
  return {
    url,
    async stop() {
      child.kill();
      await ended;
    },
  };
}
