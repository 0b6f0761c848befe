import type { Kysely } from 'kysely';
import type { AuditReport, ChainProblem, VerifyProgress } from '../model/audit.ts';
import type { Database } from '../schema.ts';
import type { Vault } from '../sealing/vault.ts';
import { GENESIS_HASH, rowHash } from './canonical.ts';
import { BREAK_KIND } from './chain.ts';
import type { CheckpointFile } from './checkpoint-file.ts';
import { type GatheredCheckpoint, gatherCheckpoints } from './gather-checkpoints.ts';
import { readChain, type StoredAuditRow } from './read-chain.ts';
import { createEventsVerifier } from './verify-events.ts';

const COLUMNS = 'actor,at_ms,data,hash,kind,organization_id,prev_hash,seq,subject';
const MAX_PROBLEMS = 20;
const PROGRESS_ROWS = 10_000;

type Problem = AuditReport['faults'][number];
type AddProblem = (seq: number, reason: ChainProblem, message: string) => void;

/** Reads a whole chain and compares it with its links, its sealed head, its checkpoints and its events. Writes nothing. */
export async function verifyChain(
  deps: { readonly db: Kysely<Database>; readonly file: CheckpointFile; readonly vault: Vault },
  organizationId: string,
  onProgress: (progress: VerifyProgress) => void,
): Promise<AuditReport> {
  const problems = createProblems();
  const { add } = problems;

  // Reads the checkpoints before the head: any later snapshot of the chain contains the rows that they cover.
  const gathered = await gatherCheckpoints(deps, organizationId);
  const bounds = await readBounds(deps.db, organizationId);
  const end = checkBounds(deps.vault, organizationId, bounds, add);

  const anchors = anchorsOf(gathered.checkpoints, end, add);
  const events = await createEventsVerifier(deps.db, organizationId, bounds.events, add);
  const rows = createRowVerifier(anchors, add);
  let read = 0;
  onProgress({ rows: read, of: end });
  for await (const row of readChain(deps.db, organizationId, end)) {
    if (rows.see(row)) await events.see(row);
    if (++read % PROGRESS_ROWS === 0) onProgress({ rows: read, of: end });
  }
  const { checked, matched, mismatched } = rows.finish(end, bounds.head);
  // The problem of a checkpoint itself does not identify a row, so it is reported after those that do.
  for (const error of gathered.faults) add(error.seq === 0 ? end : error.seq, error.reason, error.message);

  const eventsReport = await events.finish();
  const [unrecorded] = eventsReport.events_unrecorded;
  if (unrecorded !== undefined)
    add(
      end + 1,
      'event_unrecorded',
      `Event ${unrecorded} has no audit row: it was not written by this service.`,
    );

  const { first } = problems;
  const sound = first === undefined ? end : Math.max(0, first.seq - 1);
  const anchoredUntil = Math.max(0, ...matched.filter((seq) => seq <= sound));
  return {
    valid: first === undefined,
    checked,
    ...(first === undefined ? {} : { first_invalid: first }),
    faults: problems.listed,
    anchored_until: anchoredUntil,
    unanchored_tail: Math.max(0, end - anchoredUntil),
    checkpoints: gathered.checkpoints.map((entry) => ({
      number: entry.checkpoint.number,
      seq: entry.checkpoint.seq,
      at_ms: entry.checkpoint.atMs,
      valid: entry.isGenuine && !mismatched.has(entry) && entry.checkpoint.seq <= end,
      found_in: entry.foundIn,
    })),
    notes: gathered.notes,
    ...eventsReport,
  };
}

/** Verifies the rows of a chain in order. */
function createRowVerifier(anchors: ReadonlyMap<number, readonly GatheredCheckpoint[]>, add: AddProblem) {
  let expected = 1;
  let prevHash = GENESIS_HASH;
  let checked = 0;
  const matched: number[] = [];
  const mismatched = new Set<GatheredCheckpoint>();

  function compareWithCheckpoints(seq: number): void {
    for (const entry of anchors.get(seq) ?? []) {
      if (entry.checkpoint.hash === prevHash) {
        matched.push(seq);
        continue;
      }
      mismatched.add(entry);
      const { number } = entry.checkpoint;
      add(seq, 'checkpoint_mismatch', `Checkpoint ${number} was signed for a different row ${seq}.`);
    }
  }

  return {
    /** Returns true if the row is unchanged. */
    see(row: StoredAuditRow): boolean {
      if (expected === 1 && Object.keys(row).sort().join() !== COLUMNS) {
        add(row.seq, 'columns_changed', 'The table of audit rows has other columns than this build gave it.');
      }
      const problem = checkRow(row, expected, prevHash);
      if (problem === null) checked += 1;
      else add(problem.seq, problem.reason, problem.message);
      prevHash = Buffer.isBuffer(row.hash) ? row.hash.toString('hex') : '';
      expected = row.seq + 1;
      compareWithCheckpoints(row.seq);
      return problem === null;
    },
    finish(end: number, head: Bounds['head']) {
      if (expected <= end)
        add(expected, 'tail_missing', `The chain should reach row ${end} and ends at ${expected - 1}.`);
      if (head !== null && head.hash.toString('hex') !== prevHash) {
        add(head.seq, 'head_changed', 'The head names another hash than the last row has.');
      }
      return { checked, matched, mismatched };
    },
  };
}

function createProblems() {
  const listed: Problem[] = [];
  let first: Problem | undefined;
  return {
    listed,
    /** The first problem: the one with the lowest row. */
    get first() {
      return first;
    },
    add(seq: number, reason: ChainProblem, message: string): void {
      const problem = { seq, reason, message };
      if (first === undefined || seq < first.seq) first = problem;
      if (listed.length < MAX_PROBLEMS) listed.push(problem);
    },
  };
}

/** Groups genuine checkpoints by the row that they cover. */
function anchorsOf(
  checkpoints: readonly GatheredCheckpoint[],
  end: number,
  add: AddProblem,
): ReadonlyMap<number, readonly GatheredCheckpoint[]> {
  const anchors = new Map<number, GatheredCheckpoint[]>();
  for (const entry of checkpoints) {
    if (!entry.isGenuine) continue;
    const { seq, number } = entry.checkpoint;
    if (seq > end)
      add(
        end + 1,
        'tail_missing',
        `Checkpoint ${number} covers row ${seq}, but the chain ends at row ${end}.`,
      );
    else anchors.set(seq, [...(anchors.get(seq) ?? []), entry]);
  }
  return anchors;
}

interface Bounds {
  readonly count: number;
  /** Number of security events of the organization. */
  readonly events: number;
  readonly lowest: number | null;
  readonly highest: number | null;
  readonly head: { readonly seq: number; readonly hash: Buffer; readonly seal: Buffer } | null;
}

/** Uses one statement, so that head, rows and events come from the same snapshot. */
async function readBounds(db: Kysely<Database>, organizationId: string): Promise<Bounds> {
  const head = db.selectFrom('audit_heads').where('organization_id', '=', organizationId);
  const row = await db
    .selectFrom('audit_rows')
    .select((q) => [
      q.fn.countAll<number>().as('count'),
      q
        .selectFrom('security_events')
        .select((event) => event.fn.countAll<number>().as('events'))
        .where('organization_id', '=', organizationId)
        .as('events'),
      q.fn.min('seq').as('lowest'),
      q.fn.max('seq').as('highest'),
      head.select('seq').as('seq'),
      head.select('hash').as('hash'),
      head.select('seal').as('seal'),
    ])
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow();
  const { count, events, lowest, highest, seq, hash, seal } = row;
  return {
    count,
    events: events ?? 0,
    lowest,
    highest,
    head: seq === null || hash === null || seal === null ? null : { seq, hash, seal },
  };
}

/** Returns the last row of the chain, as far as it can be determined. */
function checkBounds(
  vault: Vault,
  organizationId: string,
  { count, lowest, highest, head }: Bounds,
  add: AddProblem,
): number {
  if (head === null) {
    if (count > 0) add(highest ?? 0, 'head_changed', 'The head of the chain is missing.');
    return highest ?? 0;
  }
  const hash = Buffer.from(head.hash).toString('hex');
  if (
    !Buffer.isBuffer(head.seal) ||
    vault.checkHeadSeal(head.seal, organizationId, head.seq, hash) !== 'genuine'
  ) {
    add(head.seq, 'head_changed', 'The head of the chain was not written by this service.');
  }
  if (lowest !== null && lowest < 1) add(lowest, 'row_unexpected', `Row ${lowest} precedes the first row.`);
  if (highest !== null && highest !== head.seq && !(highest < head.seq)) {
    add(head.seq + 1, 'row_unexpected', `The chain ends at row ${head.seq}; there are rows after it.`);
  } else if (count > head.seq) {
    add(head.seq, 'row_unexpected', `There are ${count} rows in a chain of ${head.seq}.`);
  }
  return head.seq;
}

function checkRow(row: StoredAuditRow, expected: number, prevHash: string): Problem | null {
  const { seq } = row;
  if (seq > expected) {
    const upTo = seq - 1 === expected ? '' : ` to ${seq - 1}`;
    return { seq: expected, reason: 'row_missing', message: `Row ${expected}${upTo} is missing.` };
  }
  if (seq !== expected)
    return { seq, reason: 'row_unexpected', message: `Row ${seq} was found instead of row ${expected}.` };
  if (!Buffer.isBuffer(row.hash) || !Buffer.isBuffer(row.prev_hash)) {
    return { seq, reason: 'row_changed', message: `Row ${seq} has a hash in an invalid format.` };
  }
  const claimed = row.prev_hash.toString('hex');
  if (claimed !== prevHash) {
    return { seq, reason: 'link_broken', message: `Row ${seq} does not match the hash of the previous row.` };
  }
  const texts = [row.kind, row.actor, row.subject, row.data];
  const computed = rowHash({
    organizationId: row.organization_id,
    seq,
    atMs: row.at_ms,
    kind: row.kind,
    actor: row.actor,
    subject: row.subject,
    data: row.data,
    prevHash: claimed,
  });
  if (computed !== row.hash.toString('hex') || !texts.every((text) => typeof text === 'string')) {
    return { seq, reason: 'row_changed', message: `Row ${seq} was changed after it was written.` };
  }
  if (row.kind === BREAK_KIND) {
    return {
      seq,
      reason: 'break_recorded',
      message: `The service found the chain broken when it wrote row ${seq}.`,
    };
  }
  return null;
}
