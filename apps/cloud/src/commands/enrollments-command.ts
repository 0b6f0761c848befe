import type { Command } from 'commander';
import { parseDuration, parsePositive } from './parse-option.ts';
import { print, withAccount } from './with-storage.ts';

interface CreateOptions {
  readonly uses: number;
  readonly expiresIn: number;
  readonly label?: string;
  readonly json?: boolean;
}

export function addEnrollmentsCommand(program: Command): void {
  const enrollments = program.command('enrollments').description('tokens that enroll devices');
  enrollments
    .command('create')
    .description('make an enrollment token')
    .option('--uses <n>', 'how many devices it enrolls', parsePositive, 1)
    .option('--expires-in <duration>', 'how long it works, such as 24h', parseDuration, parseDuration('24h'))
    .option('--label <text>', 'text label of its devices')
    .option('--json', 'print one JSON object')
    .action((options: CreateOptions) =>
      withAccount(async (storage, { organizationId, projectId }) => {
        const expiresAtMs = Date.now() + options.expiresIn;
        const { enrollment, token } = await storage.enrollments.create(organizationId, {
          projectId,
          label: options.label ?? null,
          isBulk: options.uses > 1,
          uses: options.uses,
          expiresAtMs,
        });
        await storage.audit.append({
          organizationId,
          kind: 'enrollment_created',
          actor: 'operator',
          subject: enrollment.id,
          data: { uses: options.uses, expires_at_ms: expiresAtMs },
        });
        const expiresAt = new Date(expiresAtMs).toISOString();
        print(options.json, { token, id: enrollment.id, uses: options.uses, expires_at: expiresAt }, [
          `Enrollment token for ${options.uses} device${options.uses === 1 ? '' : 's'}, valid until ${expiresAt}, shown only now:`,
          '',
          `  ${token}`,
          '',
        ]);
      }),
    );
}
