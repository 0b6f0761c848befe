import type { Kysely } from 'kysely';
import type { ChainProblem, Checkpoint } from '../model/audit.ts';
import type { Database } from '../schema.ts';
import type { Vault } from '../sealing/vault.ts';
import { isGenuine } from './checkpoint.ts';
import type { CheckpointFile } from './checkpoint-file.ts';

export interface GatheredCheckpoint {
  readonly checkpoint: Checkpoint;
  readonly isGenuine: boolean;
  readonly foundIn: readonly ('database' | 'file')[];
}

interface Problem {
  readonly seq: number;
  readonly reason: ChainProblem;
  readonly message: string;
}

export interface Gathered {
  /** By number, then seq. */
  readonly checkpoints: readonly GatheredCheckpoint[];
  readonly faults: readonly Problem[];
  readonly notes: readonly string[];
}

/** Reads all checkpoints of a chain, from the table and from the file, and compares them. */
export async function gatherCheckpoints(
  deps: { readonly db: Kysely<Database>; readonly file: CheckpointFile; readonly vault: Vault },
  organizationId: string,
): Promise<Gathered> {
  const notes: string[] = [];
  // Writers append to the file before the table: with this order of reads a new checkpoint never seems to be missing.
  const before = await listStored(deps.db, organizationId);
  const file = await deps.file.read(organizationId);
  const stored = await listStored(deps.db, organizationId);

  const byName = new Map<string, { checkpoint: Checkpoint; foundIn: Set<'database' | 'file'> }>();
  for (const checkpoint of stored)
    byName.set(nameOf(checkpoint), { checkpoint, foundIn: new Set(['database']) });
  const problems = addFromFile(file.checkpoints, byName);

  const notInFile = before.filter((checkpoint) => !byName.get(nameOf(checkpoint))?.foundIn.has('file'));
  const { [file.id ?? '']: lost = [], ...ofOtherFiles } = Object.groupBy(notInFile, ({ fileId }) => fileId);
  problems.push(...lost.map((checkpoint) => takenOut(checkpoint, 'file')));
  for (const fileId of Object.keys(ofOtherFiles)) {
    notes.push(`Checkpoint file ${fileId} is missing: its checkpoints exist only in the database.`);
  }

  const numbers = new Set(stored.map((checkpoint) => checkpoint.number));
  const highestStored = Math.max(0, ...numbers);
  const missing = Array.from({ length: highestStored }, (_, index) => index + 1).filter(
    (number) => !numbers.has(number),
  );
  problems.push(...missing.map((number) => takenOut({ seq: 0, number }, 'database')));
  const all = [...byName.values()].map(({ checkpoint, foundIn }) => ({
    checkpoint,
    foundIn: [...foundIn],
    isGenuine: isGenuine(checkpoint, deps.vault) && checkpoint.organizationId === organizationId,
  }));
  for (const entry of all) {
    const problem = problemOf(entry, file.id, highestStored);
    if (problem !== null) problems.push(problem);
    else if (!entry.foundIn.includes('database')) {
      const { number, seq } = entry.checkpoint;
      notes.push(`Checkpoint ${number} over row ${seq} is only in the file.`);
    }
  }
  for (const line of file.unreadable) notes.push(`Line ${line} of the checkpoint file is invalid.`);
  all.sort((a, b) => a.checkpoint.number - b.checkpoint.number || a.checkpoint.seq - b.checkpoint.seq);
  return { checkpoints: all, faults: problems, notes };
}

/** Adds the checkpoints of the file to those of the table; returns those that the file repeats or has out of order. */
function addFromFile(
  checkpoints: readonly Checkpoint[],
  byName: Map<string, { checkpoint: Checkpoint; foundIn: Set<'database' | 'file'> }>,
): Problem[] {
  const problems: Problem[] = [];
  let highest = 0;
  for (const checkpoint of checkpoints) {
    const name = nameOf(checkpoint);
    const known = byName.get(name);
    if (known?.foundIn.has('file') || checkpoint.number < highest) {
      problems.push({
        seq: checkpoint.seq,
        reason: 'checkpoint_replayed',
        message: `Checkpoint ${checkpoint.number} occurs in the file again, after newer ones.`,
      });
    }
    highest = Math.max(highest, checkpoint.number);
    if (known === undefined) byName.set(name, { checkpoint, foundIn: new Set(['file']) });
    else known.foundIn.add('file');
  }
  return problems;
}

/**
 * Returns the problem of a checkpoint itself. The one after the highest stored number may be in the file only, because
 * it is still being written.
 */
function problemOf(entry: GatheredCheckpoint, fileId: string | null, highestStored: number): Problem | null {
  const { checkpoint, foundIn } = entry;
  const { seq, number } = checkpoint;
  if (!entry.isGenuine) {
    const message = `Checkpoint ${number} was not signed by this service, or was changed.`;
    return { seq, reason: 'checkpoint_forged', message };
  }
  if (foundIn.includes('file') && fileId !== null && checkpoint.fileId !== fileId) {
    const message = `Checkpoint ${number} was written to a different file.`;
    return { seq, reason: 'checkpoint_replayed', message };
  }
  const isLost = !foundIn.includes('database') && number > highestStored + 1;
  return isLost ? takenOut(checkpoint, 'database') : null;
}

function takenOut({ seq, number }: { seq: number; number: number }, of: 'file' | 'database'): Problem {
  return { seq, reason: 'checkpoint_missing', message: `Checkpoint ${number} is missing from the ${of}.` };
}

/** Two checkpoints are the same if all of their fields are equal. */
function nameOf(checkpoint: Checkpoint): string {
  const { organizationId, number, seq, hash, atMs, fileId, keyId, signature } = checkpoint;
  return JSON.stringify([organizationId, number, seq, hash, atMs, fileId, keyId, signature]);
}

async function listStored(db: Kysely<Database>, organizationId: string): Promise<readonly Checkpoint[]> {
  const rows = await db
    .selectFrom('audit_checkpoints')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('number')
    .execute();
  return rows.map((row) => ({
    organizationId: row.organization_id,
    number: row.number,
    seq: row.seq,
    hash: row.hash,
    atMs: row.at_ms,
    fileId: row.file_id,
    keyId: row.key_id,
    signature: row.signature,
  }));
}
