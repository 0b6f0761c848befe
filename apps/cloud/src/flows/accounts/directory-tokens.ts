import { CodedError } from '@csg/shared/contract';
import type { DirectoryToken, Storage } from '../../storage/storage.ts';

interface Admin {
  readonly organizationId: string;
  readonly userId: string;
}

const MAX_TOKENS = 10;

/** Creates a token for the organization's directory. The token is returned only once, here. */
export async function createDirectoryToken(
  deps: { readonly storage: Pick<Storage, 'transaction'> },
  admin: Admin,
  name: string,
): Promise<{ readonly record: DirectoryToken; readonly token: string }> {
  const { organizationId, userId } = admin;
  return await deps.storage.transaction(async (repositories) => {
    // Of two concurrent calls, the second counts the token of the first.
    await repositories.organizations.lock(organizationId);
    if ((await repositories.directory.listTokens(organizationId)).length >= MAX_TOKENS) {
      throw new CodedError('plan_limit_reached', {
        message: `An organization can have at most ${MAX_TOKENS} directory tokens. Delete one first.`,
        fields: { limit: MAX_TOKENS },
      });
    }
    const made = await repositories.directory.createToken(organizationId, {
      name: name.trim(),
      createdBy: userId,
    });
    await repositories.audit.append({
      organizationId,
      kind: 'directory_token_created',
      actor: userId,
      subject: made.record.id,
      data: {},
    });
    return made;
  });
}

/** Deletes the token: the directory's next request with it is rejected. */
export async function removeDirectoryToken(
  deps: { readonly storage: Pick<Storage, 'transaction'> },
  admin: Admin,
  tokenId: string,
): Promise<void> {
  const { organizationId, userId } = admin;
  await deps.storage.transaction(async (repositories) => {
    if (!(await repositories.directory.removeToken(organizationId, tokenId))) {
      throw new CodedError('not_found', { message: 'No such directory token.' });
    }
    await repositories.audit.append({
      organizationId,
      kind: 'directory_token_removed',
      actor: userId,
      subject: tokenId,
      data: {},
    });
  });
}
