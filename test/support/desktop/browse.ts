/**
 * Fetches as a browser does by the computer's setting: evaluates the PAC file if there is one, and uses the next route
 * if one fails.
 */
import { createPacResolver } from 'pac-resolver';
import { QuickJS } from 'quickjs-wasi';
import { parseRoutes } from '../../../apps/desktop/src/upstream/upstream-pac.ts';
import { curl } from './curl.ts';
import type { FakeGsettings } from './fake-gsettings.ts';

export type Reached = 'by the proxy' | 'direct' | 'not at all';

export interface Browse {
  readonly gsettings: FakeGsettings;
  readonly url: string;
  /** PEM of all roots that may occur on the way. */
  readonly roots: string;
  /** Time for each route; browsers wait some seconds for a proxy that does not respond. */
  readonly patienceS?: number;
}

export async function browse({ gsettings, url, roots, patienceS = 1 }: Browse): Promise<Reached> {
  for (const way of await waysOf(gsettings, url, patienceS)) {
    const args = ['--max-time', String(patienceS), ...(way === null ? ['--noproxy', '*'] : []), url];
    const got = await curl(Number(way?.port ?? 0), roots, args);
    if (got.status === 200) return way === null ? 'direct' : 'by the proxy';
  }
  return 'not at all';
}

async function waysOf(
  gsettings: FakeGsettings,
  url: string,
  patienceS: number,
): Promise<readonly (URL | null)[]> {
  if (gsettings.read('mode') !== 'auto') return [null];
  try {
    const file = gsettings.read('autoconfig-url');
    // A file within its URL comes without delay; undici throws outside the call if the signal fires before it is read.
    const signal = file.startsWith('data:') ? null : AbortSignal.timeout(patienceS * 1_000);
    const pac = await (await fetch(file, { signal })).text();
    const find = createPacResolver(await QuickJS.create(), pac);
    return parseRoutes(await find(url), null) ?? [null];
  } catch {
    // A PAC file that cannot be loaded counts as none.
    return [null];
  }
}
