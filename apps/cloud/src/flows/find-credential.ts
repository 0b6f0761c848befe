import type { IncomingHttpHeaders } from 'node:http';
import { CodedError } from '@csg/shared/contract';
import type { Storage } from '../storage/storage.ts';
import type { Provider } from '../upstream/providers.ts';
import type { Principal } from './authenticate-key.ts';
import { bearerOf, hasServiceHeader, isServiceKey } from './service-key.ts';

/**
 * The vendor's credential: the caller's own, as `Authorization: Bearer` or in the provider's own header, else the one
 * sealed on the project. Own ones count beside X-API-Key alone: without it the service key came in their place.
 * A service key sent there is rejected, never forwarded; so is a credential of another vendor.
 */
export async function findCredential(
  deps: { readonly storage: Pick<Storage, 'projects'> },
  principal: Principal,
  provider: Provider,
  headers: IncomingHttpHeaders,
): Promise<string> {
  const sent = hasServiceHeader(headers) ? ownCredential(provider, headers) : null;
  if (sent !== null) {
    if (!isServiceKey(sent)) return checked(provider, sent);
    throw new CodedError('missing_provider_key', {
      message: `The Authorization header contains an API key of this service. Send that as X-API-Key, and your ${provider.label} key as "Authorization: Bearer".`,
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
  return checked(provider, stored);
}

function ownCredential(provider: Provider, headers: IncomingHttpHeaders): string | null {
  const own = provider.credentialHeader === null ? undefined : headers[provider.credentialHeader];
  return bearerOf(headers.authorization) ?? (typeof own === 'string' && own !== '' ? own : null);
}

/** A credential never goes to a vendor that it was not meant for. */
function checked(provider: Provider, credential: string): string {
  const owner = provider.foreignOwnerOf(credential);
  if (owner === null) return credential;
  throw new CodedError('invalid_api_key', {
    message: `The provider credential is a key of ${owner}, and this request goes to ${provider.label}. It was not sent. Send a key of ${provider.label}, or name another provider in X-Service-Provider.`,
    fields: { provider: provider.name },
  });
}
