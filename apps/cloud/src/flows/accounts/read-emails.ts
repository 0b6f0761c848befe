import { CodedError } from '@csg/shared/contract';
import type { Email, EmailScope, EmailWithText, Storage } from '../../storage/storage.ts';
import type { Clock } from '../clock.ts';

export interface ReadEmailsDependencies {
  readonly storage: Storage;
  readonly clock: Clock;
}
interface Reader {
  readonly organizationId: string;
  readonly userId: string;
}

const PAGE = 50;

/** An organization sees its own emails; those about accounts, with their links, are visible only to the operator. */
async function scopeOf({ storage }: ReadEmailsDependencies, reader: Reader): Promise<EmailScope> {
  const operator = await storage.organizations.findOperator();
  const isOperator = operator?.ownerId === reader.userId && operator.id === reader.organizationId;
  return { organizationId: reader.organizationId, withAccounts: isOperator };
}

export async function listEmails(
  deps: ReadEmailsDependencies,
  reader: Reader,
  before: string | undefined,
): Promise<{ readonly emails: readonly Email[]; readonly next: string | null }> {
  const found = await deps.storage.emails.list(await scopeOf(deps, reader), {
    limit: PAGE + 1,
    ...(before === undefined ? {} : { before }),
  });
  const emails = found.slice(0, PAGE);
  return { emails, next: found.length > PAGE ? emails.at(-1)!.id : null };
}

/** An email with its text. It may contain a sign-in link, so the audit log records that it was read. */
export async function readEmail(
  deps: ReadEmailsDependencies,
  reader: Reader,
  emailId: string,
): Promise<EmailWithText> {
  const email = await deps.storage.emails.get(await scopeOf(deps, reader), emailId);
  if (email === null) throw unknownEmail();
  if (email.text !== null) {
    await deps.storage.audit.append({
      organizationId: reader.organizationId,
      kind: 'mail_read',
      actor: reader.userId,
      subject: email.id,
      data: { kind: email.kind },
    });
  }
  return email;
}

/** Retries an email that had failed for good. */
export async function retryEmail(
  deps: ReadEmailsDependencies,
  reader: Reader,
  emailId: string,
): Promise<void> {
  const scope = await scopeOf(deps, reader);
  const email = await deps.storage.emails.get(scope, emailId);
  if (email === null) throw unknownEmail();
  await deps.storage.transaction(async (repositories) => {
    if (!(await repositories.emails.retry(scope, emailId, deps.clock.now()))) {
      throw new CodedError('invalid_state', {
        message: email.status === 'sent' ? 'This email was already sent.' : 'This email is already pending.',
        fields: { status: email.status },
      });
    }
    await repositories.audit.append({
      organizationId: reader.organizationId,
      kind: 'mail_retried',
      actor: reader.userId,
      subject: emailId,
      data: { kind: email.kind },
    });
  });
}

function unknownEmail(): CodedError {
  return new CodedError('not_found', { message: 'No such email.' });
}
