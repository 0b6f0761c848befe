import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import type { Shell } from '../run-process.ts';
import type { Storage, VerifyProgress } from '../storage/storage.ts';
import { print, withAccount } from './with-storage.ts';

const WORTH_PROGRESS_ROWS = 10_000;

interface VerifyOptions {
  readonly requireAnchor?: boolean;
  readonly organization?: string;
  readonly json?: boolean;
}

export function addAuditCommand(program: Command, shell: Shell): void {
  const audit = program.command('audit').description('verify and export the audit log');
  audit
    .command('verify')
    .description('verify every row of the audit chain; exits with 0 if it is valid')
    .option('--require-anchor', 'fail if no checkpoint covers the newest rows')
    .option('--organization <id>', 'organization to verify (default: all)')
    .option('--json', 'print one JSON object')
    .action((options: VerifyOptions) => withAccount(shell, (storage) => verify(shell, storage, options)));
  audit
    .command('export')
    .description('print the audit log and its checkpoints as JSON lines')
    .option('--organization <id>', 'organization to export (default: the first)')
    .action((options: { readonly organization?: string }) =>
      withAccount(shell, async (storage, account) => {
        const [id] = await chainsOf(storage, options.organization ?? account.organizationId);
        await printAll(shell, storage.audit.exportLines(id as string));
      }),
    );
}

async function verify(shell: Shell, storage: Storage, options: VerifyOptions): Promise<void> {
  const ids = await chainsOf(storage, options.organization);
  const reports = [];
  for (const id of ids) {
    const report = await storage.audit.verify(id, (progress) => showProgress(shell, id, progress));
    reports.push({ organization_id: id, ...report });
  }
  const valid = reports.every((report) => report.valid);
  const anchored = reports.every((report) => report.unanchored_tail === 0);
  const lines = reports.map((report) =>
    report.valid
      ? `${report.organization_id}  the chain is valid: ${report.checked} rows, ${report.events_checked} events, anchored until row ${report.anchored_until}${report.unanchored_tail > 0 ? `; no checkpoint covers the last ${report.unanchored_tail} yet` : ''}`
      : `${report.organization_id}  BROKEN at row ${report.first_invalid?.seq ?? '?'}: ${report.first_invalid?.message ?? 'unknown'}`,
  );
  const summary = reports.length === 1 ? reports[0] : { valid, organizations: reports };
  print(shell, options.json, { ...summary, valid }, lines);
  if (!valid || (options.requireAnchor && !anchored)) shell.exitCode = 1;
}

/** Rewrites one line; only for people: logs and pipes get none. */
function showProgress({ stderr }: Shell, organizationId: string, { rows, of }: VerifyProgress): void {
  if (!stderr.isTTY || of < WORTH_PROGRESS_ROWS) return;
  stderr.write(`\r${organizationId}  ${rows} of ${of} rows${rows + WORTH_PROGRESS_ROWS > of ? '\n' : ''}`);
}

/** Returns the organizations with a chain, or the requested one: a mistyped id must not be reported as valid. */
async function chainsOf(storage: Storage, organization: string | undefined): Promise<readonly string[]> {
  const known = await storage.audit.listOrganizations();
  if (organization === undefined) return known;
  if (!known.includes(organization)) throw new Error(`Organization ${organization} has no audit log.`);
  return [organization];
}

/** Prints all lines. A reader that closes early, such as `head`, ends the export without an error. */
async function printAll({ stdout }: Shell, lines: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(lines, stdout, { end: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}
