import { asciiHost } from './fold-text.ts';

/**
 * Returns the target of an address: its host without `www.`, and on shared hosts also the first path segment, so that
 * naming the host does not vouch for all its users. Null: not an address, or one of this computer or network.
 */
export function placeOf(address: string): string | null {
  const [scheme = ''] = /^[a-z][a-z\d+.-]{0,30}:\/\//i.exec(address) ?? [];
  const bare = address.slice(scheme.length).replace(REPOSITORY, '$1/');
  const end = bare.search(/[/?#\\]/);
  const authority = end === -1 ? bare : bare.slice(0, end);
  const written = authority
    .slice(authority.lastIndexOf('@') + 1)
    .replace(/:\d{1,5}$/, '')
    .replace(/\.$/, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/^www\./, '');
  if (STORAGE.test(scheme)) return BUCKET.test(written) ? written : null;
  const [, ipv6] = /^\[([\da-f:.]{3,45})\]$/.exec(written) ?? [];
  if (ipv6 !== undefined) return INNER_IPV6.test(ipv6) ? null : ipv6;
  const host = asciiHost(written);
  if (host.length > 253 || !HOST.test(host) || INNER.test(host)) return null;
  if (!SHARED_HOSTS.has(host)) return host;
  const [, first = ''] = /^\/+([^/?#\s]+)/.exec(end === -1 ? '' : bare.slice(end)) ?? [];
  return first === '' ? host : `${host}/${first.toLowerCase()}`;
}

/** Git's short form of a repository: `git@host:path`. */
const REPOSITORY = /^git@([\w.-]{1,253}):(?!\d)/;
const HOST =
  /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}_-]{0,61}[\p{L}\p{N}])?\.){1,10}(?:\p{L}{2,24}|xn--[a-z\d-]{2,30}|\d{1,3})$/u;
const INNER =
  /^(?:localhost|127\.|0\.0\.0\.0|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|.*\.(?:localhost|local|internal|test)$)/;

/** Schemes of storage services, whose addresses name a bucket instead of a host. */
const STORAGE = /^(?:s3[an]?|gs|gcs|r2|b2|oss|cos|swift):/i;
const BUCKET = /^[a-z\d][a-z\d._-]{1,62}$/;
const INNER_IPV6 = /^(?:::1?$|fe80:|f[cd])/;

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/).filter((word) => word !== ''));

/** Hosts on which anyone can have a page; the first path segment distinguishes them. */
const SHARED_HOSTS = words(`
  github.com gitlab.com bitbucket.org raw.githubusercontent.com gist.github.com gist.githubusercontent.com
  codeberg.org docs.google.com drive.google.com forms.gle goo.gl bit.ly tinyurl.com t.co t.me pastebin.com
  hastebin.com paste.ee dropbox.com onedrive.live.com 1drv.ms hooks.slack.com discord.com discord.gg webhook.site
  pipedream.net requestbin.com medium.com notion.site notion.so facebook.com linkedin.com twitter.com x.com
  instagram.com youtube.com reddit.com s3.amazonaws.com storage.googleapis.com npmjs.com registry.npmjs.org pypi.org
  huggingface.co hub.docker.com wa.me paypal.me patreon.com ipfs.io sites.google.com wetransfer.com transfer.sh
`);
/** Anyone can have a host below these suffixes: naming one does not vouch for another. */
const SHARED_SUFFIXES = words(`
  github.io gitlab.io vercel.app netlify.app pages.dev workers.dev herokuapp.com ngrok.io ngrok.app ngrok-free.app
  amazonaws.com cloudfront.net azurewebsites.net blob.core.windows.net web.app firebaseapp.com appspot.com
  blogspot.com wordpress.com wixsite.com fly.dev onrender.com repl.co glitch.me trycloudflare.com oast.fun
  interact.sh burpcollaborator.net co.uk com.au co.jp com.br co.in
`);

/** Returns the place and its parent domains, which have the same owner. */
export function parentPlaces(place: string): string[] {
  if (place.includes('/')) return [place];
  const labels = place.split('.');
  const above = labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'));
  const shared = above.findIndex((domain) => SHARED_SUFFIXES.has(domain));
  return shared === -1 ? above : above.slice(0, Math.max(1, shared));
}

/** Returns the parent folders of an absolute path, which have the same owner: a named folder covers its contents. */
export function parentFolders(path: string): string[] {
  const steps = path.split(/[\\/]/);
  return steps
    .slice(MIN_STEPS, -1)
    .map((_, at) => path.slice(0, steps.slice(0, at + MIN_STEPS + 1).join('/').length));
}

/** `/home/ann` belongs to one person, `/home` does not. */
const MIN_STEPS = 2;
