import { type FileHandle, link, open, rm } from 'node:fs/promises';
import { newId } from '../ids.ts';
import type { Checkpoint } from '../model/audit.ts';
import { checkpointToLine, lineToCheckpoint } from './checkpoint.ts';

const HEADER_FORMAT = 'csg-audit-checkpoint-file-v1';

/**
 * The checkpoints outside the database: JSON lines, the first of which identifies the file. Several processes may
 * append to the file; this code never changes or removes a line.
 */
export interface CheckpointFile {
  /** Returns the id of the file; creates the file if it is missing. */
  id(): Promise<string>;
  /** Resolves once the line is flushed to disk. */
  append(checkpoint: Checkpoint): Promise<void>;
  read(organizationId: string | null): Promise<CheckpointFileContents>;
}

export interface CheckpointFileContents {
  /** null: there is no file, or its first line is missing. */
  readonly id: string | null;
  /** In the file's order. */
  readonly checkpoints: readonly Checkpoint[];
  /** Numbers of lines that are not checkpoints: a write interrupted by a power failure, or tampering. */
  readonly unreadable: readonly number[];
}

export function createCheckpointFile(path: string): CheckpointFile {
  let knownId: string | undefined;

  async function readId(): Promise<string | null> {
    for await (const line of lines(path)) return headerId(line);
    return null;
  }

  return {
    async id() {
      knownId ??= (await readId()) ?? undefined;
      if (knownId !== undefined) return knownId;
      // Written completely, then linked: of two concurrent processes one wins, and both read the same id.
      const temporary = `${path}.${newId('ckf')}`;
      const file = await open(temporary, 'wx', 0o600);
      await file.write(`${JSON.stringify({ type: 'file', format: HEADER_FORMAT, file_id: newId('ckf') })}\n`);
      await file.sync();
      await file.close();
      try {
        await link(temporary, path);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      } finally {
        await rm(temporary);
      }
      // A file whose first line is not a header is called 'unnamed'; its checkpoints record that they have no file id.
      knownId = (await readId()) ?? 'unnamed';
      return knownId;
    },

    async append(checkpoint) {
      await this.id();
      const file = await open(path, 'a+', 0o600);
      try {
        const { size } = await file.stat();
        const last = Buffer.alloc(1);
        if (size > 0) await file.read(last, 0, 1, size - 1);
        const isTorn = size > 0 && last[0] !== 0x0a;
        await file.write((isTorn ? '\n' : '') + checkpointToLine(checkpoint));
        await file.sync();
      } finally {
        await file.close();
      }
    },

    read: (organizationId) => readCheckpoints(path, organizationId),
  };
}

async function readCheckpoints(
  path: string,
  organizationId: string | null,
): Promise<Awaited<ReturnType<CheckpointFile['read']>>> {
  let id: string | null = null;
  let number = 0;
  const checkpoints: Checkpoint[] = [];
  const unreadable: number[] = [];
  for await (const line of lines(path)) {
    number += 1;
    if (number === 1) {
      id = headerId(line);
      if (id !== null) continue;
    }
    const checkpoint = lineToCheckpoint(parse(line));
    if (checkpoint === null) unreadable.push(number);
    else if (organizationId === null || checkpoint.organizationId === organizationId) {
      checkpoints.push(checkpoint);
    }
  }
  return { id, checkpoints, unreadable };
}

async function* lines(path: string): AsyncIterable<string> {
  let file: FileHandle;
  try {
    file = await open(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  try {
    yield* file.readLines({ encoding: 'utf8', autoClose: false });
  } finally {
    await file.close();
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function headerId(line: string): string | null {
  const value = parse(line) as { format?: unknown; file_id?: unknown } | null;
  return value?.format === HEADER_FORMAT && typeof value.file_id === 'string' ? value.file_id : null;
}
