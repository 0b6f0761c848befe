import { AsyncLocalStorage } from 'node:async_hooks';
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type FirstCall, LOOP } from './count-walk.ts';
import { instrument } from './instrument.ts';

const SOURCE = /^(?:shared|apps\/\w+\/src)\/.*\.ts$/;

export interface CallRecorder {
  /** Returns what the next call of a function in `entry` calls, and what follows from it while `run` runs. */
  record(entry: string, run: () => Promise<unknown>): Promise<FirstCall[]>;
}

/** Instruments the sources below `root` that are loaded from now on. */
export function recordCalls(root: string): CallRecorder {
  const nameOf = (url: string): string | undefined => {
    if (!url.startsWith('file:')) return undefined;
    const file = path.relative(root, fileURLToPath(url));
    return SOURCE.test(file) ? file : undefined;
  };
  registerHooks({
    load(url, context, next) {
      const file = nameOf(url);
      if (file === undefined) return next(url, context);
      const source = instrument(file, readFileSync(fileURLToPath(url), 'utf8'));
      return { format: 'module-typescript', source, shortCircuit: true };
    },
  });
  Error.stackTraceLimit = Number.POSITIVE_INFINITY;
  const context = new AsyncLocalStorage<Recording>();
  let next: Recording | null = null;
  const entered = (file: string, offset: number): void => {
    if (next?.entry === file) {
      context.enterWith(next);
      next = null;
    }
    const recording = context.getStore();
    const name = `${file}:${offset}`;
    if (recording === undefined || recording.calls.has(name)) return;
    const [own = '', ...callers] = callSites().flatMap((site) => placeOf(site) ?? []);
    const { chains } = recording;
    // Of a callback that nobody waits for: whoever called the first function of its file.
    const caller = callers.find((one) => chains.has(one) && !one.startsWith(LOOP)) ?? file;
    const before = chains.get(caller) ?? [];
    const chain = caller === file && before.at(-1) === file ? before : [...before, file];
    chains.set(own, chain);
    if (!chains.has(file)) chains.set(file, chain);
    recording.calls.set(name, { file, callers: chain.slice(0, -1) });
  };
  const placeOf = (site: NodeJS.CallSite): string | undefined => {
    const file = nameOf(site.getFileName() ?? '');
    return file && `${file}:${site.getEnclosingLineNumber()}:${site.getEnclosingColumnNumber()}`;
  };
  Object.assign(globalThis, { __entered: entered });
  return {
    async record(entry, run) {
      const recording: Recording = { entry, chains: new Map(), calls: new Map() };
      next = recording;
      await run();
      return [...recording.calls.values()];
    },
  };
}

interface Recording {
  readonly entry: string;
  /** Files from the entry to a function, by where it begins, and to the first one of each file. */
  readonly chains: Map<string, readonly string[]>;
  readonly calls: Map<string, FirstCall>;
}

/** The stack, also of callers that wait for a promise. */
function callSites(): NodeJS.CallSite[] {
  const prepare = Error.prepareStackTrace;
  Error.prepareStackTrace = (_error, sites) => sites;
  const sites = new Error().stack as unknown as NodeJS.CallSite[];
  Error.prepareStackTrace = prepare;
  return sites;
}
