import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { hasCommand, OTHER_CORE, pinned } from './start-process.ts';
import { NUMBER } from './workloads.ts';

export interface Load {
  /** What is loaded by what, for the error. */
  readonly name: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly connections: number;
  /** Halves too; autocannon makes whole ones of them. */
  readonly seconds: number;
  /** Where the load generator runs. Default: the core of the load. */
  readonly cores?: string;
}

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
}

interface Outcome extends LoadResult {
  /** Answers outside 2xx, broken connections and time-outs. */
  readonly failed: number;
}

/** wrk costs a fraction of a Node client, so the measured process stays the bottleneck; autocannon is there everywhere. */
export const GENERATOR: 'wrk' | 'autocannon' = hasCommand('wrk', ['-v']) ? 'wrk' : 'autocannon';

const TIMEOUT_S = '20';
const run = promisify(execFile);

/** Posts the body over and over, from the load's core. Throws where one answer failed, or none came: it does not count then. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const folder = mkdtempSync(path.join(tmpdir(), 'csg-load-'));
  try {
    const body = path.join(folder, 'body');
    // autocannon puts an id of its own in.
    writeFileSync(body, GENERATOR === 'wrk' ? load.body : load.body.toString().replace(NUMBER, '[<id>]'));
    const done = await (GENERATOR === 'wrk' ? runWrk(load, body, folder) : runAutocannon(load, body));
    if (done.failed > 0 || done.requests === 0)
      throw new Error(
        `${load.name}: ${done.failed} of ${done.requests} answers failed; the run does not count`,
      );
    return done;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** `stopAfterMs`: interrupted then, which makes wrk say what it has so far. */
async function runApart(
  cores: string | undefined,
  command: readonly string[],
  stopAfterMs?: number,
): Promise<string> {
  const [first = '', ...rest] = pinned(cores ?? OTHER_CORE, command);
  const running = run(first, rest);
  const timer =
    stopAfterMs === undefined ? undefined : setTimeout(() => running.child.kill('SIGINT'), stopAfterMs);
  try {
    return (await running).stdout;
  } finally {
    clearTimeout(timer);
  }
}

async function runWrk(load: Load, body: string, folder: string): Promise<Outcome> {
  const script = path.join(folder, 'load.lua');
  writeFileSync(script, wrkScript(load, body));
  const whole = Math.ceil(load.seconds);
  const shape = ['-t1', `-c${load.connections}`, `-d${whole}s`, '--timeout', `${TIMEOUT_S}s`];
  // wrk knows whole seconds only.
  const stopAfterMs = load.seconds === whole ? undefined : load.seconds * 1000;
  const output = await runApart(load.cores, ['wrk', ...shape, '-s', script, load.url], stopAfterMs);
  const numbers = /RESULT (\d+) (\d+) (\d+)/.exec(output)?.slice(1).map(Number);
  if (numbers === undefined) throw new Error(`wrk said no result: ${output}`);
  const [requests = 0, micros = 0, failed = 0] = numbers;
  return { requests, seconds: micros / 1_000_000, failed };
}

function wrkScript({ headers }: Load, body: string): string {
  // JSON's string literals are Lua's for what is used here: printable ASCII and escaped quotes.
  const lua = (text: string): string => JSON.stringify(text);
  const lines = Object.entries(headers).map(([name, value]) => `wrk.headers[${lua(name)}] = ${lua(value)}`);
  return `wrk.method = "POST"
local file = io.open(${lua(body)}, "rb")
wrk.body = file:read("*a")
file:close()
${lines.join('\n')}
local before, after
local sent = 0
request = function()
  if before == nil then
    local made = wrk.format()
    local from, to = made:find("${NUMBER}", 1, true)
    if from == nil then return made end
    before, after = made:sub(1, from - 1), made:sub(to + 1)
  end
  sent = sent + 1
  return before .. string.format("%08d", sent) .. after
end
done = function(summary)
  local e = summary.errors
  local failed = e.connect + e.read + e.write + e.status + e.timeout
  io.write(string.format("RESULT %d %d %d\\n", summary.requests, summary.duration, failed))
end
`;
}

interface AutocannonReport {
  readonly requests: { readonly total: number };
  readonly duration: number;
  readonly non2xx: number;
  readonly errors: number;
  readonly timeouts: number;
}

async function runAutocannon(load: Load, body: string): Promise<Outcome> {
  const program = createRequire(import.meta.url).resolve('autocannon/autocannon.js');
  const headers = Object.entries(load.headers).flatMap(([name, value]) => ['-H', `${name}=${value}`]);
  const shape = [
    '-c',
    `${load.connections}`,
    '-d',
    `${Math.ceil(load.seconds)}`,
    '-t',
    TIMEOUT_S,
    '-m',
    'POST',
    '-i',
    body,
  ];
  const output = await runApart(load.cores, [
    process.execPath,
    program,
    '-j',
    '-n',
    '-I',
    ...shape,
    ...headers,
    load.url,
  ]);
  const report = JSON.parse(output) as AutocannonReport;
  const failed = report.non2xx + report.errors + report.timeouts;
  return { requests: report.requests.total, seconds: report.duration, failed };
}
