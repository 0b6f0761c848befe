import { EMAIL_TRUSTS } from '@csg/shared/contract';
import { oneOf, setting, text } from './setting.ts';

const DOMAIN = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/;
const LOOPBACK = /^(localhost|\[::1\]|127(\.\d{1,3}){3})$/;

/** Single sign-on of the operator's organization; other organizations configure theirs on the settings page. */
export const SSO_SETTINGS = {
  oidcIssuer: setting(
    'OIDC_ISSUER',
    'Issuer of the OpenID Connect provider of the first organization: https, or http on this computer (docs/single-sign-on.md).',
    'unset',
    (value) => {
      if (value === undefined) return undefined;
      const url = URL.parse(value);
      const isHttp = url?.protocol === 'http:' && LOOPBACK.test(url.hostname);
      if (url === null || (url.protocol !== 'https:' && !isHttp)) {
        throw new Error('must be a URL that starts with https://, or with http:// on this computer');
      }
      return value;
    },
  ),
  oidcClientId: text('OIDC_CLIENT_ID', 'Client id of this service at the provider.'),
  oidcClientSecret: text(
    'OIDC_CLIENT_SECRET',
    'Client secret. Unset: a public client, protected by PKCE alone.',
  ),
  oidcAllowedDomains: setting(
    'OIDC_ALLOWED_DOMAINS',
    'Domains of the email addresses that may sign in, separated by commas; compared exactly.',
    'none',
    (value) => {
      const domains = (value ?? '').split(',').map((domain) => domain.trim().toLowerCase());
      const named = domains.filter((domain) => domain !== '');
      const wrong = named.find((domain) => !DOMAIN.test(domain));
      if (wrong !== undefined) throw new Error(`must contain domains such as example.com, not "${wrong}"`);
      return named;
    },
  ),
  oidcRoleClaim: text(
    'OIDC_ROLE_CLAIM',
    'Claim that contains the role: admin, member, viewer or auditor; anything else is viewer. Unset: roles are assigned on the members page.',
  ),
  oidcEmailTrust: oneOf(
    'OIDC_EMAIL_TRUST',
    'Addresses of the provider that count: verified (email_verified is true), or tenant (also without that claim, for an issuer of one tenant or customer; docs/single-sign-on.md).',
    EMAIL_TRUSTS,
    'verified',
  ),
  ssoDnsServers: setting(
    'SSO_DNS_SERVERS',
    'DNS servers for the records that prove domains, separated by commas. Unset: those of the system.',
    'unset',
    (value) => (value ?? '').split(',').filter((server) => server.trim() !== ''),
  ),
} as const;
