import path from 'node:path';
import { moduleOf } from '../../structure/modules.ts';

/** The first call of a function: its file, and the files of the functions that called it, the outermost first. */
export interface FirstCall {
  readonly file: string;
  readonly callers: readonly string[];
}

export interface WalkCounts {
  readonly files: number;
  readonly folders: number;
  /** Of docs/modules.md. */
  readonly modules: number;
  /** Calls from file to file by which a chain of calls goes into a folder that it had left. */
  readonly returns: number;
  /** How often a reader who opens each file when it is first needed goes into a folder that they had left. */
  readonly readingReturns: number;
}

/** Goes on with the work of others, as a loop of the language does: it is no place that a reader goes to. */
export const LOOP = 'shared/text/steps.ts';

/** `whole`: folders that count as one, with all below them. */
export function countWalk(calls: readonly FirstCall[], whole: readonly string[] = []): WalkCounts {
  const folderOf = (file: string): string =>
    whole.find((folder) => file.startsWith(`${folder}/`)) ?? path.posix.dirname(file);
  const returns = new Set<string>();
  for (const { file, callers } of calls) {
    const left = new Set<string>();
    const chain = [...callers, file].filter((one) => one !== LOOP);
    chain.reduce((from, to) => {
      if (folderOf(from) !== folderOf(to)) {
        left.add(folderOf(from));
        if (left.has(folderOf(to))) returns.add(`${from} ${to}`);
      }
      return to;
    });
  }
  const files = [...new Set(calls.map(({ file }) => file))];
  const stays = files.map(folderOf).filter((folder, at, all) => folder !== all[at - 1]);
  const folders = new Set(stays).size;
  const modules = new Set(files.map(moduleOf)).size;
  return {
    ...{ files: files.length, folders, modules },
    ...{ returns: returns.size, readingReturns: stays.length - folders },
  };
}
