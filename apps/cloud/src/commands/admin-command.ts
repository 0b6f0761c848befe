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
  const admin = program.command('admin').description('people who sign in to the dashboard');
  admin
    .command('create')
    .description('make an admin of the first organization, or give one a new password')
    .requiredOption('--email <email>', 'their email address (required)')
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
          `${user.email} is an admin now.${passwordHash === null ? ' No password was set: run this again with --password-stdin.' : ''}`,
        ]);
      }),
    );
  addErase(admin, shell);
  admin
    .command('recover')
    .description(
      'restore access for a person who lost phone, codes or mailbox: a one-time link, no second factor',
    )
    .requiredOption('--email <email>', 'their email address (required)')
    .option('--json', 'print one JSON object')
    .action((options: Pick<CreateOptions, 'email' | 'json'>) =>
      withStorage(shell, async (storage, config) => {
        const recovered = await recoverAccount({ storage, clock: SYSTEM_CLOCK }, options.email);
        if (recovered === null) throw new Error(`No account has the address "${options.email}".`);
        const base = config.publicUrl ?? `http://${config.host}:${config.port}`;
        const link = createLinks(() => base).oneTime('reset-password', recovered.token);
        print(shell, options.json, { id: recovered.userId, link }, [
          'Give them this link, in person. It works once, for 24 hours:',
          '',
          `  ${link}`,
          '',
          'Their sessions have ended and their second factor is gone.',
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
    .description("take a person's address, name and words out of the database; the audit chain stays whole")
    .requiredOption('--email <email>', 'their email address (required)')
    .option('--json', 'print one JSON object')
    .action((options: Pick<CreateOptions, 'email' | 'json'>) =>
      withStorage(shell, async (storage) => {
        const erased = await eraseUser({ storage, forgetKeys: () => {} }, options.email.trim(), 'operator');
        if (erased === null) throw new Error(`No account has the address "${options.email}".`);
        print(shell, options.json, { id: erased.userId, organizations: erased.organizations }, [
          `Erased. In the record they are ${erased.userId}; nothing tells who that was.`,
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
