import { type Command, Option } from 'commander';
import { createEnrollment, listEnrollments, revokeEnrollment } from '../flows/devices/manage-devices.ts';
import { SYSTEM_CLOCK } from '../gateway/configured-parts.ts';
import type { Shell } from '../run-process.ts';
import { parseDuration, parsePositive } from './parse-option.ts';
import { print, withAccount } from './with-storage.ts';

interface CreateOptions {
  readonly uses: number;
  readonly expiresIn: number;
  readonly label?: string;
  readonly json?: boolean;
}

export function addEnrollmentsCommand(program: Command, shell: Shell): void {
  const enrollments = program.command('enrollments').description('tokens that enroll devices');
  enrollments
    .command('create')
    .description('create an enrollment token')
    .option('--uses <n>', 'number of devices that the token can enroll', parsePositive, 1)
    .addOption(
      new Option('--expires-in <duration>', 'lifetime, such as 30m, 24h or 7d')
        .argParser(parseDuration)
        .default(parseDuration('24h'), '24h'),
    )
    .option('--label <text>', 'text label of its devices')
    .option('--json', 'print one JSON object')
    .action((options: CreateOptions) =>
      withAccount(shell, async (storage, { organizationId, projectId }) => {
        const expiresAtMs = Date.now() + options.expiresIn;
        const { enrollment, token } = await createEnrollment(
          { storage, clock: SYSTEM_CLOCK },
          { organizationId, id: 'operator', userId: null },
          { projectId, label: options.label ?? null, uses: options.uses, expiresAtMs },
        );
        const expiresAt = new Date(expiresAtMs).toISOString();
        print(shell, options.json, { token, id: enrollment.id, uses: options.uses, expires_at: expiresAt }, [
          `Enrollment token for ${options.uses} device${options.uses === 1 ? '' : 's'}, valid until ${expiresAt}, shown only once:`,
          '',
          `  ${token}`,
          '',
        ]);
      }),
    );
  enrollments
    .command('list')
    .description('list enrollment tokens; the tokens themselves are not stored')
    .option('--json', 'print one JSON object')
    .action((options: { json?: boolean }) =>
      withAccount(shell, async (storage, { organizationId }) => {
        const found = await listEnrollments({ storage, clock: SYSTEM_CLOCK }, organizationId);
        const items = found.map((one) => ({
          id: one.id,
          state: one.state,
          label: one.label,
          platform: one.platform,
          uses_left: one.usesLeft,
          uses: one.usesTotal,
          expires_at: one.expiresAtMs === null ? null : new Date(one.expiresAtMs).toISOString(),
        }));
        print(shell, options.json, { enrollments: items }, [
          items.length === 0 ? 'No enrollments. Create one: gateway enrollments create' : 'Enrollments:',
          ...items.map(
            (one) =>
              `  ${one.id}  ${one.state.padEnd(7)}  ${one.uses_left} of ${one.uses} uses left${one.expires_at === null ? '' : `, until ${one.expires_at}`}${one.label === null ? '' : `  ${one.label}`}`,
          ),
        ]);
      }),
    );
  enrollments
    .command('revoke')
    .description('revoke an enrollment token; devices enrolled with it are kept')
    .argument('<id>', 'id of the enrollment, enr_…')
    .option('--json', 'print one JSON object')
    .action((id: string, options: { json?: boolean }) =>
      withAccount(shell, async (storage, { organizationId }) => {
        const admin = { organizationId, id: 'operator', userId: null };
        await revokeEnrollment({ storage, clock: SYSTEM_CLOCK }, admin, id);
        print(shell, options.json, { id, state: 'revoked' }, [`Enrollment ${id} is revoked.`]);
      }),
    );
}
