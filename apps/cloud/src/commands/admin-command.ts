import type { Command } from 'commander';
import { passwordProblem } from '../flows/accounts/check-password.ts';
import { hashPassword } from '../flows/accounts/hash-password.ts';
import { recoverAccount } from '../flows/accounts/recover-account.ts';
import { eraseUser } from '../flows/audit/erase-user.ts';
import { createLinks } from '../flows/links.ts';
import { SYSTEM_CLOCK } from '../gateway/configured-parts.ts';
import type { Shell } from '../run-process.ts';
import type { Repositories, User } from '../storage/storage.ts';
import { print, withAccount, withStorage } from './with-storage.ts';

interface CreateOptions {
  readonly email: string;
  readonly passwordStdin?: boolean;
  readonly json?: boolean;
}

/** Longer than any valid password: reading stops here. */
const MAX_INPUT = 10_000;

export function addAdminCommand(program: Command, shell: Shell): void {
  const admin = program.command('admin').description('accounts of the dashboard');
  admin
    .command('create')
    .description('create an admin of the first organization, or set a new password for an existing member')
    .requiredOption('--email <email>', 'email address of the account (required)')
    .option('--password-stdin', 'read the password from standard input')
    .option('--json', 'print one JSON object')
    .action((options: CreateOptions) =>
      withAccount(shell, async (storage, { organizationId }) => {
        const email = options.email.trim();
        if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > 254) {
          throw new Error(`"${options.email}" is not an email address.`);
        }
        const passwordHash = options.passwordStdin
          ? await hashPassword(await readPassword(shell, email))
          : null;
        const user = await storage.transaction((repositories) =>
          makeAdmin(repositories, organizationId, email, passwordHash),
        );
        print(shell, options.json, { id: user.id, email: user.email, organization_id: organizationId }, [
          `Account ${user.email} is ready. A new member is an admin; an existing member keeps their role.${passwordHash === null ? ' No password was set: run this again with --password-stdin.' : ''}`,
        ]);
      }),
    );
  addErase(admin, shell);
  admin
    .command('recover')
    .description(
      'restore access after a lost phone, recovery codes or mailbox: removes the second factor and prints a one-time link',
    )
    .requiredOption('--email <email>', 'email address of the account (required)')
    .option('--json', 'print one JSON object')
    .action((options: Pick<CreateOptions, 'email' | 'json'>) =>
      withStorage(shell, async (storage, config) => {
        const recovered = await recoverAccount({ storage, clock: SYSTEM_CLOCK }, options.email);
        if (recovered === null) throw new Error(`No account has the email address "${options.email}".`);
        const base = config.publicUrl ?? `http://${config.host}:${config.port}`;
        const link = createLinks(() => base).oneTime('reset-password', recovered.token);
        print(shell, options.json, { id: recovered.userId, link }, [
          'Give this link to the person directly. It works once and expires after 24 hours:',
          '',
          `  ${link}`,
          '',
          'All sessions of the account were ended, and its second factor was removed.',
        ]);
      }),
    );
}

async function makeAdmin(
  repositories: Repositories,
  organizationId: string,
  email: string,
  passwordHash: string | null,
): Promise<User> {
  const { users, members, sessions, audit } = repositories;
  const known = await users.findByEmail(email);
  const change = { emailVerifiedAtMs: Date.now(), ...(passwordHash === null ? {} : { passwordHash }) };
  const made =
    known === null ? await users.insert({ email, ...change }) : await users.update(known.id, change);
  if ((await members.get(organizationId, made.id)) === null) {
    await members.add(organizationId, made.id, 'admin');
  }
  // End the sessions that were opened with the old password.
  if (known !== null && passwordHash !== null) await sessions.endAll(known.id);
  await audit.append({
    organizationId,
    kind: known === null ? 'admin_created' : 'admin_changed',
    actor: 'operator',
    subject: made.id,
    data: { password_set: passwordHash !== null },
  });
  return made;
}

function addErase(admin: Command, shell: Shell): void {
  admin
    .command('erase')
    .description(
      "erase a person's email address, name and texts from the database; the audit chain stays valid",
    )
    .requiredOption('--email <email>', 'email address of the account (required)')
    .option('--json', 'print one JSON object')
    .action((options: Pick<CreateOptions, 'email' | 'json'>) =>
      withStorage(shell, async (storage) => {
        const erased = await eraseUser({ storage, forgetKeys: () => {} }, options.email.trim(), 'operator');
        if (erased === null) throw new Error(`No account has the email address "${options.email}".`);
        print(shell, options.json, { id: erased.userId, organizations: erased.organizations }, [
          `Erased. The audit log names the person only as ${erased.userId}.`,
        ]);
      }),
    );
}

async function readPassword({ stdin }: Shell, email: string): Promise<string> {
  let text = '';
  for await (const chunk of stdin.setEncoding('utf8')) {
    text += chunk;
    if (text.length > MAX_INPUT) break;
  }
  const password = text.replace(/\r?\n$/, '');
  const problem = await passwordProblem(password, [email]);
  if (problem !== null) throw new Error(problem);
  return password;
}
