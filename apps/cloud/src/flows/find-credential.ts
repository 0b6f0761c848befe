import type { IncomingHttpHeaders } from 'node:http';
import { CodedError, DEFAULT_CREDENTIAL } from '@csg/shared/contract';
import type { Storage } from '../storage/storage.ts';
import type { Provider } from '../upstream/providers.ts';
import type { Principal } from './authenticate-key.ts';
import { bearerOf, hasServiceHeader, isServiceKey } from './service-key.ts';

/**
 * Finds the provider's credential: the stored one named in X-Service-Credential, else the caller's own, sent as
 * `Authorization: Bearer` or in the provider's own header, else the stored one for the model, else the default one. The
 * caller's own applies only together with X-API-Key: without it, those headers carry the API key. An API key of this
 * service in those headers is rejected, never forwarded; so is a credential of another provider.
 */
export async function findCredential(
  deps: { readonly storage: Pick<Storage, 'projects'> },
  principal: Principal,
  provider: Provider,
  headers: IncomingHttpHeaders,
  model: string | null | undefined,
): Promise<string> {
  const named = credentialNameIn(headers);
  const sent = hasServiceHeader(headers) ? ownCredential(provider, headers) : null;
  if (sent !== null && named === null) {
    if (!isServiceKey(sent)) return checked(provider, sent);
    throw new CodedError('missing_provider_key', {
      message: `The Authorization header contains an API key of this service. Send that as X-API-Key, and your ${provider.label} key as "Authorization: Bearer".`,
    });
  }
  const stored =
    principal.projectId === null
      ? []
      : await deps.storage.projects.findCredentials(
          principal.organizationId,
          principal.projectId,
          provider.name,
        );
  const byName = (name: string) => stored.find((one) => one.name === name);
  if (named !== null) {
    const chosen = byName(named);
    if (chosen === undefined) throw unknownName(provider);
    return checked(provider, chosen.secret);
  }
  const forModel = typeof model === 'string' && stored.find(({ models }) => models.includes(model));
  const chosen = forModel || byName(DEFAULT_CREDENTIAL);
  if (chosen === undefined) throw new CodedError('missing_provider_key');
  return checked(provider, chosen.secret);
}

function credentialNameIn(headers: IncomingHttpHeaders): string | null {
  const name = headers['x-service-credential'];
  return typeof name === 'string' && name.trim() !== '' ? name.trim() : null;
}

function unknownName(provider: Provider): CodedError {
  return new CodedError('invalid_request', {
    message: `X-Service-Credential names a credential that this project does not store for ${provider.label}.`,
    fields: { provider: provider.name },
  });
}

function ownCredential(provider: Provider, headers: IncomingHttpHeaders): string | null {
  const own = provider.credentialHeader === null ? undefined : headers[provider.credentialHeader];
  return bearerOf(headers.authorization) ?? (typeof own === 'string' && own !== '' ? own : null);
}

/** Ensures that a credential is never sent to a provider it does not belong to. */
function checked(provider: Provider, credential: string): string {
  const owner = provider.foreignOwnerOf(credential);
  if (owner === null) return credential;
  throw new CodedError('invalid_api_key', {
    message: `The provider credential is a key of ${owner}, but this request goes to ${provider.label}. Nothing was sent. Send a key of ${provider.label}, or name another provider in X-Service-Provider.`,
    fields: { provider: provider.name },
  });
}
