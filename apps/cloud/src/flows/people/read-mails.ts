import { CodedError } from '@csg/shared/contract';
import type { Mail, MailScope, MailWithText, Storage } from '../../storage/storage.ts';
import type { Clock } from '../clock.ts';

export interface ReadMailsDependencies {
  readonly storage: Storage;
  readonly clock: Clock;
}
interface Reader {
  readonly organizationId: string;
  readonly userId: string;
}

const PAGE = 50;

/** An organization's own mails; those about accounts (links to choose a password stand in them) for who runs the service. */
async function scopeOf({ storage }: ReadMailsDependencies, reader: Reader): Promise<MailScope> {
  const operator = await storage.organizations.findOperator();
  const isOperator = operator?.ownerId === reader.userId && operator.id === reader.organizationId;
  return { organizationId: reader.organizationId, withAccounts: isOperator };
}

export async function listMails(
  deps: ReadMailsDependencies,
  reader: Reader,
  before: string | undefined,
): Promise<{ readonly mails: readonly Mail[]; readonly next: string | null }> {
  const found = await deps.storage.mails.list(await scopeOf(deps, reader), {
    limit: PAGE + 1,
    ...(before === undefined ? {} : { before }),
  });
  const mails = found.slice(0, PAGE);
  return { mails, next: found.length > PAGE ? mails.at(-1)!.id : null };
}

/** A mail with its text. Links that sign somebody in stand in it: that it was read is on the record. */
export async function readMail(
  deps: ReadMailsDependencies,
  reader: Reader,
  mailId: string,
): Promise<MailWithText> {
  const mail = await deps.storage.mails.get(await scopeOf(deps, reader), mailId);
  if (mail === null) throw unknownMail();
  if (mail.text !== null) {
    await deps.storage.audit.append({
      organizationId: reader.organizationId,
      kind: 'mail_read',
      actor: reader.userId,
      subject: mail.id,
      data: { kind: mail.kind },
    });
  }
  return mail;
}

/** Tries one again that was given up. */
export async function retryMail(deps: ReadMailsDependencies, reader: Reader, mailId: string): Promise<void> {
  const scope = await scopeOf(deps, reader);
  const mail = await deps.storage.mails.get(scope, mailId);
  if (mail === null) throw unknownMail();
  await deps.storage.transaction(async (repositories) => {
    if (!(await repositories.mails.retry(scope, mailId, deps.clock.now()))) {
      throw new CodedError('invalid_state', {
        message: mail.status === 'sent' ? 'This mail was sent already.' : 'This mail waits to be sent.',
        fields: { status: mail.status },
      });
    }
    await repositories.audit.append({
      organizationId: reader.organizationId,
      kind: 'mail_retried',
      actor: reader.userId,
      subject: mailId,
      data: { kind: mail.kind },
    });
  });
}

function unknownMail(): CodedError {
  return new CodedError('not_found', { message: 'There is no mail with this id.' });
}
