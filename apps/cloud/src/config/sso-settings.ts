import { setting, text } from './setting.ts';

const DOMAIN = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/;
const LOOPBACK = /^(localhost|\[::1\]|127(\.\d{1,3}){3})$/;

/** Single sign-on of the operator's organization; other organizations configure theirs on the settings page. */
export const SSO_SETTINGS = {
  oidcIssuer: setting(
    'OIDC_ISSUER',
    'OpenID Connect provider of the first organization: its issuer, https, or http on this computer (docs/single-sign-on.md).',
    'unset',
    (value) => {
      if (value === undefined) return undefined;
      const url = URL.parse(value);
      const isHttp = url?.protocol === 'http:' && LOOPBACK.test(url.hostname);
      if (url === null || (url.protocol !== 'https:' && !isHttp)) {
        throw new Error('takes an address that starts with https://, or with http:// on this computer');
      }
      return value;
    },
  ),
  oidcClientId: text('OIDC_CLIENT_ID', 'Client id that the provider knows this service by.'),
  oidcClientSecret: text(
    'OIDC_CLIENT_SECRET',
    'Client secret; unset: a public client, proven by PKCE alone.',
  ),
  oidcAllowedDomains: setting(
    'OIDC_ALLOWED_DOMAINS',
    'Domains of the addresses that may sign in, separated by commas; compared exactly.',
    'none',
    (value) => {
      const domains = (value ?? '').split(',').map((domain) => domain.trim().toLowerCase());
      const named = domains.filter((domain) => domain !== '');
      const wrong = named.find((domain) => !DOMAIN.test(domain));
      if (wrong !== undefined) throw new Error(`takes domains such as example.com, not "${wrong}"`);
      return named;
    },
  ),
  oidcRoleClaim: text(
    'OIDC_ROLE_CLAIM',
    'Claim that holds the role: admin, member, viewer or auditor; anything else is viewer. Unset: roles are given on the members page.',
  ),
  ssoDnsServers: setting(
    'SSO_DNS_SERVERS',
    'DNS servers that records of domains are read from, separated by commas; unset: those of the system.',
    'unset',
    (value) => (value ?? '').split(',').filter((server) => server.trim() !== ''),
  ),
} as const;
