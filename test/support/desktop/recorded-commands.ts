/**
 * Stand-ins for the commands of other systems: they store what a real one would store, respond as their manuals show,
 * and record every call. One for each system.
 */
export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}
export type Run = (file: string, args: readonly string[]) => Promise<Ran>;

export interface Recorded {
  readonly run: Run;
  readonly calls: string[];
  /** The system's contents, by names of its own. */
  readonly held: Map<string, string>;
}

const done = (stdout = ''): Ran => ({ code: 0, stdout, stderr: '' });
const no = (code: number, stderr = '', stdout = ''): Ran => ({ code, stdout, stderr });

function recorded(
  held: Map<string, string>,
  answer: (file: string, args: readonly string[]) => Ran,
): Recorded {
  const calls: string[] = [];
  return {
    calls,
    held,
    async run(file, args) {
      calls.push([file, ...args].join(' '));
      return answer(file, args);
    },
  };
}

/** The tool is missing. */
export const missingCommands = (): Recorded =>
  recorded(new Map(), (file) => ({ code: null, stdout: '', stderr: `spawn ${file} ENOENT` }));

/** `security` of macOS; `sha1Of` reads the certificate at a path. */
export function macosSecurity(sha1Of: (path: string) => string): Recorded {
  const held = new Map<string, string>();
  return recorded(held, (_file, args) => {
    const [command] = args;
    if (command === 'find-certificate') {
      return done(
        [...held.keys()]
          .map((sha1) => `SHA-256 hash: 00\nSHA-1 hash: ${sha1}\nkeychain: "System"\n`)
          .join(''),
      );
    }
    if (command === 'add-trusted-cert') {
      held.set(sha1Of(args.at(-1)!), 'trusted');
      return done();
    }
    if (command === 'remove-trusted-cert') return done();
    if (command === 'delete-certificate') {
      const sha1 = args[args.indexOf('-Z') + 1]!;
      return held.delete(sha1) ? done() : no(44, 'Unable to delete certificate matching "..."');
    }
    return no(2, 'Usage: security ...');
  });
}

/** `certutil.exe` of Windows. */
export function windowsCertutil(sha1Of: (path: string) => string): Recorded {
  const held = new Map<string, string>();
  return recorded(held, (_file, args) => {
    const [command] = args;
    const last = args.at(-1)!;
    if (command === '-store') {
      return held.has(last)
        ? done(`Cert Hash(sha1): ${last}\n`)
        : no(-2146885628, '', 'CertUtil: -store command FAILED: 0x80092004');
    }
    if (command === '-addstore') {
      held.set(sha1Of(last), 'root');
      return done('Certificate "Content Security Agent" added to store.');
    }
    if (command === '-delstore') return held.delete(last) ? done('Deleting Certificate 0') : done();
    return no(1, '', 'Unknown arg');
  });
}

/** `certutil` of NSS. */
export function nssCertutil(): Recorded {
  const held = new Map<string, string>();
  return recorded(held, (_file, args) => {
    const name = args[args.indexOf('-n') + 1] ?? '';
    if (args.includes('-N')) return done();
    if (args.includes('-A')) {
      held.set(name, args[args.indexOf('-i') + 1]!);
      return done();
    }
    if (args.includes('-L')) {
      return held.has(name)
        ? done('Certificate:')
        : no(255, `certutil: Could not find cert: ${name}\n: PR_FILE_NOT_FOUND_ERROR`);
    }
    if (args.includes('-D'))
      return held.delete(name) ? done() : no(255, 'certutil: could not find certificate');
    return no(255, 'certutil: unrecognized');
  });
}

/** `networksetup` of macOS with two services, one of them disabled. */
export function macosNetworksetup(): Recorded {
  const held = new Map([
    ['Wi-Fi|url', ''],
    ['Wi-Fi|on', 'off'],
    ['Thunderbolt Bridge|url', 'http://corp.example/proxy.pac'],
    ['Thunderbolt Bridge|on', 'on'],
  ]);
  return recorded(held, (_file, args) => {
    const [command, service, value = ''] = args;
    if (command === '-listallnetworkservices') {
      return done(
        'An asterisk (*) denotes that a network service is disabled.\nWi-Fi\nThunderbolt Bridge\n*Old Modem\n',
      );
    }
    if (!held.has(`${service}|url`))
      return no(
        4,
        '',
        `${service} is not a recognized network service.\n** Error: The parameters were not valid.`,
      );
    if (command === '-getautoproxyurl') {
      const url = held.get(`${service}|url`) || '(null)';
      return done(`URL: ${url}\nEnabled: ${held.get(`${service}|on`) === 'on' ? 'Yes' : 'No'}\n`);
    }
    if (command === '-getproxybypassdomains')
      return done(held.get(`${service}|${command}`) ?? 'There are no bypass domains set.\n');
    if (command === '-getproxyautodiscovery')
      return done(`Auto Proxy Discovery: ${held.get(`${service}|${command}`) ?? 'Off'}\n`);
    if (
      command === '-getwebproxy' ||
      command === '-getsecurewebproxy' ||
      command === '-getsocksfirewallproxy'
    ) {
      const server = held.get(`${service}|${command}`);
      return done(
        `Enabled: ${server === undefined ? 'No' : 'Yes'}\nServer: ${server ?? ''}\nPort: ${server === undefined ? 0 : 8080}\nAuthenticated Proxy Enabled: 0\n`,
      );
    }
    if (command === '-setautoproxyurl') {
      held.set(`${service}|url`, value.trim());
      held.set(`${service}|on`, 'on');
      return done();
    }
    if (command === '-setautoproxystate') {
      held.set(`${service}|on`, value);
      return done();
    }
    return no(1);
  });
}

/** `reg.exe` and the PowerShell line that notifies programs. */
export function windowsRegistry(): Recorded {
  const held = new Map<string, string>();
  return recorded(held, (file, args) => {
    if (file === 'powershell.exe') return done();
    const [command] = args;
    if (command === 'query') {
      const name = args.at(-1)!;
      const value = held.get(name);
      if (value === undefined)
        return no(1, 'ERROR: The system was unable to find the specified registry key or value.');
      const type = value.startsWith('0x') ? 'REG_DWORD' : 'REG_SZ';
      return done(
        `\r\nHKEY_CURRENT_USER\\Software\\...\\Internet Settings\r\n    ${name}    ${type}    ${value}\r\n\r\n`,
      );
    }
    if (command === 'add') {
      held.set('AutoConfigURL', args[args.indexOf('/d') + 1]!);
      return done('The operation completed successfully.');
    }
    if (command === 'delete') {
      return held.delete('AutoConfigURL')
        ? done()
        : no(1, 'ERROR: The system was unable to find the specified registry key or value.');
    }
    return no(1);
  });
}

/** `gsettings` with a session bus; with `forgets`, without one: it reports success and stores nothing. */
export function linuxGsettings(forgets = false): Recorded {
  const held = new Map([
    ['mode', "'none'"],
    ['autoconfig-url', "''"],
  ]);
  return recorded(held, (_file, args) => {
    const [command, , key = '', value = ''] = args;
    if (command === 'list-recursively') {
      const lines = [...held].map(([name, text]) =>
        `org.gnome.system.proxy${name.includes(' ') ? `.${name}` : ` ${name}`}`.concat(` ${text}\n`),
      );
      return done(lines.join(''));
    }
    if (command === 'get') return done(`${held.get(key)}\n`);
    if (!forgets) held.set(key, value);
    return done();
  });
}
