import { createLeafIssuer, type LeafIssuer } from '../../../apps/desktop/src/trust/leaf-issuer.ts';
import { createRoot, type RootCertificate } from '../../../apps/desktop/src/trust/root-certificate.ts';

export interface Authority {
  readonly root: RootCertificate;
  readonly issuer: LeafIssuer;
}

export async function newAuthority(hosts: readonly string[]): Promise<Authority> {
  const root = await createRoot(hosts, Date.now());
  return { root, issuer: await createLeafIssuer(root) };
}

/**
 * The environment without variables by which build machines preset trust, because with them tests of trust prove
 * nothing.
 */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const env = { ...process.env };
  for (const name of Object.keys(env)) {
    if (
      /^(?:NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR|CURL_CA_BUNDLE|REQUESTS_CA_BUNDLE|(?:https?|all|no)_proxy)$/i.test(
        name,
      )
    ) {
      delete env[name];
    }
  }
  return env;
}
