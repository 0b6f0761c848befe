import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import { HAS_NGINX } from './nginx.ts';
import { GENERATOR } from './run-load.ts';
import { CAN_PIN } from './start-process.ts';

/** What kind of machine it was; nothing that tells which one. */
export function machineFacts(): Record<string, string | number | boolean> {
  const cpus = os.cpus();
  return {
    cpu: cpus[0]?.model.trim() ?? 'unknown',
    cores: cpus.length,
    memory_gib: Math.round(os.totalmem() / 2 ** 30),
    system: `${os.type()} ${os.release().split('.').slice(0, 2).join('.')} ${os.arch()}`,
    pinned_to_cores: CAN_PIN,
    load_generator: GENERATOR,
    load_average_at_start: loadAverage(),
  };
}

/** Of the last minute. At the start anything above 0.5 is other work that disturbs; at the end about 2 is the benchmark's own. */
export function loadAverage(): number {
  return Math.round(os.loadavg()[0]! * 10) / 10;
}

export function versionFacts(peerFolder: string): Record<string, string> {
  const resolve = createRequire(import.meta.url).resolve;
  const versionIn = (file: string): string =>
    (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
  const facts: Record<string, string> = { node: process.version };
  for (const name of ['undici', 'fastify', 'better-sqlite3'])
    facts[name] = versionIn(resolve(`${name}/package.json`));
  try {
    facts['@portkey-ai/gateway'] = versionIn(`${peerFolder}/node_modules/@portkey-ai/gateway/package.json`);
  } catch {
    // Not installed: the results say so under `skipped`.
  }
  if (HAS_NGINX) facts['nginx'] = outputOf('nginx', ['-v'], /nginx\/(\S+)/);
  if (GENERATOR === 'wrk') facts['wrk'] = outputOf('wrk', ['-v'], /wrk (?:debian\/)?(\S+)/);
  else facts['autocannon'] = versionIn(resolve('autocannon/package.json'));
  return facts;
}

function outputOf(command: string, args: readonly string[], version: RegExp): string {
  try {
    const output = execFileSync('sh', ['-c', `${command} ${args.join(' ')} 2>&1 || true`], {
      encoding: 'utf8',
    });
    return version.exec(output)?.[1] ?? 'unknown';
  } catch {
    return 'unknown';
  }
}
