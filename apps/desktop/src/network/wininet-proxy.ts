import {
  type CompanySetting,
  failed,
  ok,
  type ProxyValues,
  type RunCommand,
  type SettingOutcome,
  type SystemProxy,
} from './system-proxy.ts';

const KEY = 'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Internet Settings';
const VALUE = 'AutoConfigURL';

/** Running programs notice a change only after a notification: INTERNET_OPTION_SETTINGS_CHANGED, _REFRESH. */
const NOTIFY =
  "$t = Add-Type -Name N -Namespace W -PassThru -MemberDefinition '" +
  '[DllImport("wininet.dll")] public static extern bool InternetSetOption(IntPtr h, int o, IntPtr b, int l);' +
  "'; [void]$t::InternetSetOption(0, 39, 0, 0); [void]$t::InternetSetOption(0, 37, 0, 0)";

/** Windows: one value in the user's registry, which WinINET, WinHTTP-by-user, Chromium and Edge follow. */
export function createWininetProxy(run: RunCommand): SystemProxy {
  return {
    name: 'wininet',
    async read() {
      const got = await run('reg.exe', ['query', KEY, '/v', VALUE]);
      if (got.code === null) return failed('reg.exe cannot be started.');
      // 1: the value does not exist.
      if (got.code !== 0) return ok({ [VALUE]: '' });
      return ok({ [VALUE]: /AutoConfigURL\s+REG_(?:EXPAND_)?SZ\s+(.*)/.exec(got.stdout)?.[1]?.trim() ?? '' });
    },
    async readCompany(values) {
      const address = values[VALUE] ?? '';
      if (address !== '') return ok({ kind: 'pac', address });
      const manual = await readManual(run);
      if (manual !== null) return ok(manual);
      const connection = await readValue(run, 'DefaultConnectionSettings', `${KEY}\\Connections`);
      // The ninth byte: 8 stands for automatic discovery.
      const flags = Number.parseInt(connection?.slice(16, 18) ?? '0', 16);
      return ok((flags & 8) === 8 ? { kind: 'discovery' } : null);
    },
    write: (values) => write(run, values),
    withPac: (_values, url) => ({ [VALUE]: url }),
    withoutPac: () => ({ [VALUE]: '' }),
    pacOf: (values) => values[VALUE] || null,
  };
}

async function readManual(run: RunCommand): Promise<CompanySetting | null> {
  if (Number(await readValue(run, 'ProxyEnable')) !== 1) return null;
  const server = (await readValue(run, 'ProxyServer')) ?? '';
  if (server === '') return null;
  // One proxy for all schemes, or `http=a:80;https=b:443`.
  const each = new Map<string, string>();
  for (const part of server.split(';')) {
    const [scheme = '', address = ''] = part.trim().split('=', 2);
    each.set(scheme.toLowerCase(), address);
  }
  const proxyOf = (scheme: string): string | null => {
    const named = server.includes('=') ? (each.get(scheme) ?? '') : server.trim();
    return named.replace(/^https?:\/\//i, '') || null;
  };
  const bypass = ((await readValue(run, 'ProxyOverride')) ?? '')
    .split(/[;\s]+/)
    .filter((name) => name !== '');
  const socks = each.get('socks') ?? null;
  return { kind: 'manual', manual: { https: proxyOf('https'), http: proxyOf('http'), socks, bypass } };
}

/** Returns a value; numbers are hexadecimal, `0x1`. Null: it does not exist. */
async function readValue(run: RunCommand, name: string, key = KEY): Promise<string | null> {
  const got = await run('reg.exe', ['query', key, '/v', name]);
  if (got.code !== 0) return null;
  return new RegExp(`${name}\\s+REG_\\w+\\s+(.*)`).exec(got.stdout)?.[1]?.trim() ?? null;
}

async function write(run: RunCommand, values: ProxyValues): Promise<SettingOutcome<null>> {
  const url = values[VALUE];
  if (url === undefined) return ok(null);
  const args =
    url === ''
      ? ['delete', KEY, '/v', VALUE, '/f']
      : ['add', KEY, '/v', VALUE, '/t', 'REG_SZ', '/d', url, '/f'];
  const set = await run('reg.exe', args);
  if (set.code !== 0)
    return failed(`The proxy setting cannot be changed: ${set.stderr.trim() || `code ${set.code}`}`);
  // If this fails, the change still applies from the next start of each program.
  await run('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', NOTIFY]);
  return ok(null);
}
