import { asciiHost } from './fold-text.ts';

/**
 * Where an address leads: its host without `www.`, and on hosts that many people share the first step of its path, so
 * that naming the host does not vouch for everybody on it. Null: no address, or one of this computer or network.
 */
export function placeOf(address: string): string | null {
  const bare = address.replace(/^[a-z][a-z\d+.-]{0,30}:\/\//i, '');
  const end = bare.search(/[/?#\\]/);
  const authority = end === -1 ? bare : bare.slice(0, end);
  const written = authority
    .slice(authority.lastIndexOf('@') + 1)
    .replace(/:\d{1,5}$/, '')
    .replace(/\.$/, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/^www\./, '');
  const host = asciiHost(written);
  if (host.length > 253 || !HOST.test(host) || INNER.test(host)) return null;
  if (!SHARED_HOSTS.has(host)) return host;
  const [, first = ''] = /^\/+([^/?#\s]+)/.exec(end === -1 ? '' : bare.slice(end)) ?? [];
  return first === '' ? host : `${host}/${first.toLowerCase()}`;
}

const HOST =
  /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}_-]{0,61}[\p{L}\p{N}])?\.){1,10}(?:\p{L}{2,24}|xn--[a-z\d-]{2,30}|\d{1,3})$/u;
const INNER =
  /^(?:localhost|127\.|0\.0\.0\.0|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|.*\.(?:localhost|local|internal|test)$)/;

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/).filter((word) => word !== ''));

/** Hosts on which anybody has a place, told apart by the first step of the path. */
const SHARED_HOSTS = words(`
  github.com gitlab.com bitbucket.org raw.githubusercontent.com gist.github.com gist.githubusercontent.com
  codeberg.org docs.google.com drive.google.com forms.gle goo.gl bit.ly tinyurl.com t.co t.me pastebin.com
  hastebin.com paste.ee dropbox.com onedrive.live.com 1drv.ms hooks.slack.com discord.com discord.gg webhook.site
  pipedream.net requestbin.com medium.com notion.site notion.so facebook.com linkedin.com twitter.com x.com
  instagram.com youtube.com reddit.com s3.amazonaws.com storage.googleapis.com npmjs.com registry.npmjs.org pypi.org
  huggingface.co hub.docker.com wa.me paypal.me patreon.com ipfs.io sites.google.com wetransfer.com transfer.sh
`);
/** Below these names everybody has a host: naming one does not vouch for another. */
const SHARED_SUFFIXES = words(`
  github.io gitlab.io vercel.app netlify.app pages.dev workers.dev herokuapp.com ngrok.io ngrok.app ngrok-free.app
  amazonaws.com cloudfront.net azurewebsites.net blob.core.windows.net web.app firebaseapp.com appspot.com
  blogspot.com wordpress.com wixsite.com fly.dev onrender.com repl.co glitch.me trycloudflare.com oast.fun
  interact.sh burpcollaborator.net co.uk com.au co.jp com.br co.in
`);

/** The place itself, and the domains above it, whose owner is the same. */
export function placesAbove(place: string): string[] {
  if (place.includes('/')) return [place];
  const labels = place.split('.');
  const above = labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'));
  const shared = above.findIndex((domain) => SHARED_SUFFIXES.has(domain));
  return shared === -1 ? above : above.slice(0, Math.max(1, shared));
}

/** The folders above an absolute path, whose owner is the same: who names a working folder names what is in it. */
export function foldersAbove(path: string): string[] {
  const steps = path.split(/[\\/]/);
  return steps
    .slice(MIN_STEPS, -1)
    .map((_, at) => path.slice(0, steps.slice(0, at + MIN_STEPS + 1).join('/').length));
}

/** `/home/ann` is a folder of somebody's own, `/home` is not. */
const MIN_STEPS = 2;
