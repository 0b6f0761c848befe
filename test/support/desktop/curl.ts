import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { missingTool } from '../../../scripts/system-tools.ts';
import { tempFolder } from '../temp-folder.ts';
import { cleanEnvironment } from './certificates.ts';

/** Why tests that need curl are skipped here. */
export const noCurl = missingTool(['curl']);

export interface CurlResult {
  /** Curl's own exit code: 0 for a complete response, 18 for a partial one, 60 for a certificate it does not trust. */
  readonly code: number;
  readonly status: number;
  readonly version: string;
  readonly stdout: string;
  readonly stderr: string;
}

let folder: string | undefined;

/** Runs the real curl through a proxy, trusting only `ca`. `signal` ends it. */
export function curl(
  proxyPort: number,
  ca: string,
  args: readonly string[],
  input?: string | Buffer,
  signal?: AbortSignal,
): Promise<CurlResult> {
  folder ??= tempFolder('curl');
  const file = path.join(folder, `ca-${proxyPort}.pem`);
  writeFileSync(file, ca);
  const all = [
    '-sS',
    '--noproxy',
    '',
    '-x',
    `http://127.0.0.1:${proxyPort}`,
    '--cacert',
    file,
    '--max-time',
    '20',
    '-w',
    '%{stderr}\n%{http_code} %{http_version}',
    ...args,
  ];
  return new Promise((resolve) => {
    const child = execFile(
      'curl',
      all,
      { env: cleanEnvironment(), maxBuffer: 1 << 26, ...(signal && { signal }) },
      (error, stdout, stderr) => {
        const [, status = '0', version = ''] = /(\d{3}) ([\d.]+)\s*$/.exec(stderr) ?? [];
        const code = error === null ? 0 : Number(error.code ?? 1);
        resolve({ code, status: Number(status), version, stdout, stderr });
      },
    );
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}
