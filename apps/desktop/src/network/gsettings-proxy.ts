import {
  type CompanySetting,
  failed,
  ok,
  type ProxyValues,
  type RunCommand,
  type SettingOutcome,
  type SystemProxy,
} from './system-proxy.ts';

const SCHEMA = 'org.gnome.system.proxy';
const KEYS = ['mode', 'autoconfig-url'] as const;

/** GNOME's setting, which Chromium, GTK apps and libproxy follow. Needs a session bus. */
export function createGsettingsProxy(run: RunCommand): SystemProxy {
  return {
    name: 'gsettings',
    async read() {
      const values: Record<string, string> = {};
      for (const key of KEYS) {
        const got = await run('gsettings', ['get', SCHEMA, key]);
        if (got.code === null)
          return failed('gsettings is not installed: this desktop has no proxy setting to change.');
        if (got.code !== 0) return failed(`The proxy setting cannot be read: ${firstLine(got.stderr)}`);
        values[key] = unquote(got.stdout.trim());
      }
      return ok(values);
    },
    async readCompany(values) {
      const { mode, 'autoconfig-url': address = '' } = values;
      if (mode === 'auto') return ok(address === '' ? { kind: 'discovery' } : { kind: 'pac', address });
      return mode === 'manual' ? readManual(run) : ok(null);
    },
    write: (values) => writeAll(run, values),
    withPac: (_values, url) => ({ 'autoconfig-url': url, mode: 'auto' }),
    withoutPac: () => ({ mode: 'none', 'autoconfig-url': '' }),
    pacOf: (values) =>
      values['mode'] === 'auto' && values['autoconfig-url'] !== ''
        ? (values['autoconfig-url'] ?? null)
        : null,
  };
}

async function readManual(run: RunCommand): Promise<SettingOutcome<CompanySetting | null>> {
  const got = await run('gsettings', ['list-recursively', SCHEMA]);
  if (got.code !== 0) return failed(`The proxy setting cannot be read: ${firstLine(got.stderr)}`);
  const held = new Map<string, string>();
  for (const [, schema = '', key = '', value = ''] of got.stdout.matchAll(
    /^org\.gnome\.system\.(\S+) (\S+) (.*)$/gm,
  ))
    held.set(`${schema} ${key}`, value);
  const textOf = (name: string): string => unquote(held.get(name) ?? '');
  const proxyOf = (scheme: string): string | null => {
    const host = textOf(`proxy.${scheme} host`);
    return host === '' ? null : `${host}:${textOf(`proxy.${scheme} port`)}`;
  };
  const bypass = [...(held.get('proxy ignore-hosts') ?? '').matchAll(/'([^']*)'/g)].map(
    ([, host = '']) => host,
  );
  const user = textOf('proxy.http authentication-user');
  const isSignedIn = textOf('proxy.http use-authentication') === 'true' && user !== '';
  const password = textOf('proxy.http authentication-password');
  const manual = {
    https: proxyOf('https'),
    http: proxyOf('http'),
    socks: proxyOf('socks'),
    bypass,
    ...(isSignedIn && { credentials: `${encodeURIComponent(user)}:${encodeURIComponent(password)}` }),
  };
  return ok({ kind: 'manual', manual });
}

async function writeAll(run: RunCommand, values: ProxyValues): Promise<SettingOutcome<null>> {
  for (const [key, value] of Object.entries(values)) {
    const set = await run('gsettings', ['set', SCHEMA, key, quote(value)]);
    if (set.code !== 0) return failed(`The proxy setting cannot be changed: ${firstLine(set.stderr)}`);
  }
  return ok(null);
}

/** Unquotes GVariant text: 'auto' in single or double quotes. */
function unquote(text: string): string {
  const quoteMark = text[0];
  if (text.length < 2 || (quoteMark !== "'" && quoteMark !== '"') || text.at(-1) !== quoteMark) return text;
  return text.slice(1, -1).replace(/\\(.)/g, '$1');
}

function quote(value: string): string {
  return `'${value.replace(/[\\']/g, '\\$&')}'`;
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] || 'no reason given';
}
