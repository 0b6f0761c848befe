import { AsyncLocalStorage } from 'node:async_hooks';
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FirstCall } from './count-walk.ts';
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
    const [, ...callers] = callSites().flatMap((site) => nameOf(site.getFileName() ?? '') ?? []);
    const seen = callers.findLastIndex((caller) => recording.files.has(caller));
    recording.files.add(file);
    recording.calls.set(name, { file, callers: callers.slice(0, seen + 1).reverse() });
  };
  Object.assign(globalThis, { __entered: entered });
  return {
    async record(entry, run) {
      const recording: Recording = { entry, files: new Set(), calls: new Map() };
      next = recording;
      await run();
      return [...recording.calls.values()];
    },
  };
}

interface Recording {
  readonly entry: string;
  readonly files: Set<string>;
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
