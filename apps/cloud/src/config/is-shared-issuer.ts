/** Hosts of Microsoft's identity platform, in its clouds; the first part of the path names the tenant. */
const MICROSOFT = new Set([
  ...['login.microsoftonline.com', 'login.microsoft.com', 'login.windows.net', 'sts.windows.net'],
  ...['login.microsoftonline.us', 'login.partner.microsoftonline.cn', 'login.chinacloudapi.cn'],
]);
const CONSUMERS = '9188040d-6c67-4c5b-b112-36a304b66dad';
/** An id, or a domain such as contoso.onmicrosoft.com: not `common`, `organizations` or `consumers`. */
const TENANT = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?:[a-z0-9-]+\.)+[a-z]{2,})$/;

/** Issuers of accounts that anyone can open, or of the customers of many companies. */
const SHARED = new Set([
  ...['accounts.google.com', 'appleid.apple.com', 'gitlab.com', 'www.facebook.com', 'limited.facebook.com'],
  ...['www.linkedin.com', 'slack.com', 'api.login.yahoo.com', 'login.salesforce.com', 'id.twitch.tv'],
  ...['www.paypal.com', 'login.live.com', 'token.actions.githubusercontent.com'],
]);

/** Returns true if the issuer signs tokens for more than one company, so that it says nothing about an address. */
export function isSharedIssuer(issuer: string): boolean {
  const url = URL.parse(issuer);
  if (url === null) return true;
  const host = url.hostname.toLowerCase().replace(/\.$/, '');
  if (!MICROSOFT.has(host)) return SHARED.has(host);
  const tenant = url.pathname.split('/').find(Boolean)?.toLowerCase() ?? '';
  return !TENANT.test(tenant) || tenant === CONSUMERS;
}
