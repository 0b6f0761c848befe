import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { tempFolder } from '../temp-folder.ts';

export interface FakeGsettings {
  /** The folder to put first on the PATH. */
  readonly folder: string;
  /** Returns a value without its quotes. */
  read(key: 'mode' | 'autoconfig-url'): string;
  set(key: 'mode' | 'autoconfig-url', value: string): void;
  /** The names in `watched` when a process last changed a value. */
  namesAtLastChange(): readonly string[];
}

/** A `gsettings` for processes: stores its values in files. */
export function fakeGsettings(watched = ''): FakeGsettings {
  const folder = tempFolder('gsettings');
  const set: FakeGsettings['set'] = (key, value) => writeFileSync(path.join(folder, key), `'${value}'\n`);
  set('mode', 'none');
  set('autoconfig-url', '');
  const script = `#!/bin/sh
if [ "$1" = get ]; then cat "${folder}/$3"; exit; fi
printf '%s\\n' "$4" > "${folder}/$3"
ls "${watched || folder}" > "${folder}/names"
`;
  writeFileSync(path.join(folder, 'gsettings'), script);
  chmodSync(path.join(folder, 'gsettings'), 0o755);
  const contentOf = (name: string) => readFileSync(path.join(folder, name), 'utf8').trim();
  return {
    folder,
    set,
    read: (key) => contentOf(key).slice(1, -1),
    namesAtLastChange: () => contentOf('names').split('\n'),
  };
}
