import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { newId } from '../../../apps/cloud/src/storage/ids.ts';
import { createTestDatabase } from '../../../test/support/databases.ts';
import { type DeviceSocket, openDeviceSocket } from '../../../test/support/device-socket.ts';
import { pinServers } from './pin-servers.ts';
import { cpuUs, residentBytes } from './process-facts.ts';
import { runLoad } from './run-load.ts';
import { bareEnvironment, pinned, TARGET_CORES } from './start-process.ts';
import { type OwnTarget, startOurs, type Target } from './targets.ts';

/** What the plan for a million devices (docs/deployment.md) counts with, as far as one machine can tell. */
export interface Scale {
  /** Decisions recorded a second on PostgreSQL by two processes, all of one organization, and of as many as there are. */
  readonly oneChainPerSecond: number;
  readonly manyChainsPerSecond: number;
  readonly organizations: number;
  /** Memory of the service for each open device channel. */
  readonly kibPerChannel: number;
  readonly channels: number;
  /** CPU of the service for one heartbeat. */
  readonly heartbeatUs: number;
}

const WRITERS = 2;
const ORGANIZATIONS = 16;
const CHANNELS = 1_000;
const HEARTBEAT = { agent_version: '1.0.0', proxy_restarts: 0, supervisor_state: 'quiet' };
const run = promisify(execFile);

export async function measureScale(
  providerUrl: string,
  options: { readonly seconds: number },
): Promise<Scale> {
  const seconds = 2 * options.seconds;
  const oneChainPerSecond = await recordedPerSecond(1, seconds);
  const manyChainsPerSecond = await recordedPerSecond(ORGANIZATIONS, seconds);
  const target = await startOurs(providerUrl);
  try {
    const keys = await enroll(target, CHANNELS + 1);
    const heartbeatUs = await costOfHeartbeat(target, keys[0]!, options.seconds);
    const kibPerChannel = await memoryOfChannels(target, keys.slice(1));
    return {
      oneChainPerSecond,
      manyChainsPerSecond,
      organizations: ORGANIZATIONS,
      kibPerChannel,
      channels: CHANNELS,
      heartbeatUs,
    };
  } finally {
    await target.stop();
  }
}

async function recordedPerSecond(organizations: number, seconds: number): Promise<number> {
  const database = await createTestDatabase();
  pinServers();
  try {
    const names = Array.from({ length: organizations }, () => newId('org')).join(',');
    const script = path.join(import.meta.dirname, 'scale-writer.ts');
    const write = async (time: number): Promise<number> => {
      const args = [process.execPath, script, database.databaseUrl, names, String(time)];
      const [command = '', ...rest] = pinned(TARGET_CORES, args);
      const { stdout } = await run(command, rest, { env: bareEnvironment() });
      return (JSON.parse(stdout) as { decisions: number }).decisions;
    };
    // The first makes the schema.
    await write(0.1);
    const written = await Promise.all(Array.from({ length: WRITERS }, () => write(seconds)));
    return written.reduce((sum, one) => sum + one, 0) / seconds;
  } finally {
    await database.drop();
  }
}

/** The keys of so many devices. */
async function enroll(target: OwnTarget, devices: number): Promise<string[]> {
  const { token } = await target.command<{ token: string }>([
    'enrollments',
    'create',
    '--uses',
    String(devices),
    '--json',
  ]);
  const keys: string[] = [];
  for (let n = 0; n < devices; n++) {
    const answer = await fetch(new URL('/api/v1/enroll', target.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, device_name: `Laptop ${n}`, platform: 'linux', coverage: 'proxy' }),
    });
    if (!answer.ok) throw new Error(`a device was not enrolled: ${answer.status} ${await answer.text()}`);
    keys.push(((await answer.json()) as { api_key: string }).api_key);
  }
  return keys;
}

async function costOfHeartbeat(target: Target, key: string, seconds: number): Promise<number> {
  const url = new URL('/api/v1/devices/heartbeat', target.url).href;
  const load = {
    name: 'heartbeats',
    url,
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: Buffer.from(JSON.stringify(HEARTBEAT)),
    connections: 32,
  };
  await runLoad({ ...load, seconds });
  const before = cpuUs(target.process.pid) ?? 0;
  const done = await runLoad({ ...load, seconds });
  return ((cpuUs(target.process.pid) ?? 0) - before) / done.requests;
}

async function memoryOfChannels(target: Target, keys: readonly string[]): Promise<number> {
  const address = new URL(target.url).origin;
  const sockets: DeviceSocket[] = [];
  // The first ones bring code and tables that stay.
  const warm = Math.floor(keys.length / 10);
  let before = 0;
  for (const [n, key] of keys.entries()) {
    if (n === warm) before = residentBytes(target.process.pid) ?? 0;
    sockets.push(await openDeviceSocket(address, key));
  }
  const after = residentBytes(target.process.pid) ?? 0;
  for (const { socket } of sockets) socket.close();
  return (after - before) / (keys.length - warm) / 1024;
}
