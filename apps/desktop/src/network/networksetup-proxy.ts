import {
  type CompanySetting,
  failed,
  ok,
  type ProxyValues,
  type RunCommand,
  type SettingOutcome,
  type SystemProxy,
} from './system-proxy.ts';

const TOOL = '/usr/sbin/networksetup';
const NOT_ADMINISTRATOR = 14;

/** macOS: a PAC file and its switch for every enabled network service. Values are named `service|url`, `service|on`. */
export function createNetworksetupProxy(run: RunCommand): SystemProxy {
  return {
    name: 'networksetup',
    async read() {
      const listed = await servicesOf(run);
      if (listed.kind === 'failed') return listed;
      const values: Record<string, string> = {};
      for (const service of listed.value) {
        const got = await run(TOOL, ['-getautoproxyurl', service]);
        if (got.code !== 0) return failed(`The proxy setting of ${service} cannot be read: ${reasonOf(got)}`);
        const url = /^URL: (.*)$/m.exec(got.stdout)?.[1]?.trim() ?? '';
        values[`${service}|url`] = url === '(null)' ? '' : url;
        values[`${service}|on`] = /^Enabled: Yes/m.test(got.stdout) ? 'on' : 'off';
      }
      return ok(values);
    },
    async readCompany(values) {
      const listed = await servicesOf(run);
      if (listed.kind === 'failed') return listed;
      // In the system's order: the first service with a setting applies.
      for (const service of listed.value) {
        const found = await companyOf(run, values, service);
        if (found !== null) return ok(found);
      }
      return ok(null);
    },
    write: (values) => writeAll(run, values),
    withPac: (values, url) => change(values, (name) => (name.endsWith('|url') ? url : 'on')),
    withoutPac: (values) => change(values, (name) => (name.endsWith('|url') ? '' : 'off')),
    pacOf(values) {
      const on = Object.keys(values).find((name) => name.endsWith('|on') && values[name] === 'on');
      return on === undefined ? null : values[on.replace(/\|on$/, '|url')] || null;
    },
  };
}

async function companyOf(
  run: RunCommand,
  values: ProxyValues,
  service: string,
): Promise<CompanySetting | null> {
  const address = values[`${service}|url`] ?? '';
  if (values[`${service}|on`] === 'on' && address !== '') return { kind: 'pac', address };
  const [https, http, socks] = [
    await proxyOf(run, '-getsecurewebproxy', service),
    await proxyOf(run, '-getwebproxy', service),
    await proxyOf(run, '-getsocksfirewallproxy', service),
  ];
  if (https !== null || http !== null || socks !== null) {
    const listed = await run(TOOL, ['-getproxybypassdomains', service]);
    // If the list is empty, the tool prints a sentence.
    const bypass = listed.stdout.split('\n').filter((line) => /^\S+$/.test(line));
    return { kind: 'manual', manual: { https, http, socks, bypass } };
  }
  const discovery = await run(TOOL, ['-getproxyautodiscovery', service]);
  return /^Auto Proxy Discovery: On/m.test(discovery.stdout) ? { kind: 'discovery' } : null;
}

async function proxyOf(run: RunCommand, verb: string, service: string): Promise<string | null> {
  const { code, stdout } = await run(TOOL, [verb, service]);
  const [server = '', port = ''] = ['Server', 'Port'].map(
    (name) => new RegExp(`^${name}: (.*)$`, 'm').exec(stdout)?.[1]?.trim() ?? '',
  );
  return code === 0 && /^Enabled: Yes/m.test(stdout) && server !== '' ? `${server}:${port}` : null;
}

/** Returns the enabled services. The first line of the list explains the asterisk that marks disabled ones. */
async function servicesOf(run: RunCommand): Promise<SettingOutcome<readonly string[]>> {
  const listed = await run(TOOL, ['-listallnetworkservices']);
  if (listed.code !== 0) return failed(`The network services cannot be listed: ${reasonOf(listed)}`);
  return ok(
    listed.stdout
      .split('\n')
      .slice(1)
      .filter((service) => service !== '' && !service.startsWith('*')),
  );
}

function change(values: ProxyValues, to: (name: string) => string): ProxyValues {
  return Object.fromEntries(Object.keys(values).map((name) => [name, to(name)]));
}

/** Writes addresses first: setting an address also enables it, so the switches must come last. */
async function writeAll(run: RunCommand, values: ProxyValues): Promise<SettingOutcome<null>> {
  const entries = Object.entries(values).sort(
    ([a], [b]) => Number(a.endsWith('|on')) - Number(b.endsWith('|on')),
  );
  for (const [name, value] of entries) {
    const service = name.replace(/\|(?:url|on)$/, '');
    const isUrl = name.endsWith('|url');
    // The tool does not accept an empty address; a single space reads back as none.
    const args = isUrl ? ['-setautoproxyurl', service, value || ' '] : ['-setautoproxystate', service, value];
    const set = await run(TOOL, args);
    if (set.code !== 0) return failed(`The proxy setting of ${service} cannot be changed: ${reasonOf(set)}`);
  }
  return ok(null);
}

function reasonOf(result: { code: number | null; stdout: string; stderr: string }): string {
  if (result.code === null) return 'networksetup is missing.';
  // Since macOS 10.15.5, for a user who is not an administrator.
  if (result.code === NOT_ADMINISTRATOR || /requires admin privileges/i.test(result.stdout + result.stderr))
    return 'On macOS, only administrators can change it. Run the agent as an administrator, or set the PAC file with device management.';
  // The tool explains errors on standard output, and may require an administrator.
  return (result.stderr.trim() || result.stdout.trim()).split('\n', 1)[0] || `code ${result.code}`;
}
