import {
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
    async readOther() {
      const got = await run('gsettings', ['get', SCHEMA, 'mode']);
      const mode = unquote(got.stdout.trim());
      if (mode === 'manual') return ok('manual');
      // Asked only while no PAC file is named.
      return ok(mode === 'auto' ? 'discovery' : null);
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

async function writeAll(run: RunCommand, values: ProxyValues): Promise<SettingOutcome<null>> {
  for (const [key, value] of Object.entries(values)) {
    const set = await run('gsettings', ['set', SCHEMA, key, quote(value)]);
    if (set.code !== 0) return failed(`The proxy setting cannot be changed: ${firstLine(set.stderr)}`);
  }
  return ok(null);
}

/** GVariant text: 'auto' in single or double quotes. */
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
