import { CodedError, KEY_PREFIX } from '@csg/shared/contract';
import type { Storage } from '../storage/storage.ts';
import type { Provider } from '../upstream/providers.ts';
import type { Principal } from './authenticate-key.ts';

/**
 * The vendor's credential: the caller's own `Authorization: Bearer`, else the one sealed on the project.
 * A service key sent there is refused, never forwarded.
 */
export async function findCredential(
  deps: { readonly storage: Pick<Storage, 'projects'> },
  principal: Principal,
  provider: Provider,
  authorization: string | undefined,
): Promise<string> {
  const sent = /^bearer +(.*)$/i.exec(authorization ?? '')?.[1]?.trim();
  if (sent !== undefined && sent !== '') {
    if (!sent.toLowerCase().startsWith(KEY_PREFIX)) return sent;
    throw new CodedError('missing_provider_key', {
      message: `The Authorization header holds a service key. Send that as X-API-Key, and your ${provider.label} key as "Authorization: Bearer".`,
    });
  }
  const stored =
    principal.projectId === null
      ? null
      : await deps.storage.projects.getCredential(
          principal.organizationId,
          principal.projectId,
          provider.name,
        );
  if (stored === null) throw new CodedError('missing_provider_key');
  return stored;
}
