import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { tempFolder } from '../temp-folder.ts';

export interface FakeGsettings {
  /** The folder to put first on the PATH. */
  readonly folder: string;
  /** Returns a value without its quotes. */
  read(key: 'mode' | 'autoconfig-url'): string;
  set(key: 'mode' | 'autoconfig-url', value: string): void;
}

/** A `gsettings` for processes: stores its values in files. */
export function fakeGsettings(): FakeGsettings {
  const folder = tempFolder('gsettings');
  const set: FakeGsettings['set'] = (key, value) => writeFileSync(path.join(folder, key), `'${value}'\n`);
  set('mode', 'none');
  set('autoconfig-url', '');
  const script = `#!/bin/sh\nif [ "$1" = get ]; then cat "${folder}/$3"; else printf '%s\\n' "$4" > "${folder}/$3"; fi\n`;
  writeFileSync(path.join(folder, 'gsettings'), script);
  chmodSync(path.join(folder, 'gsettings'), 0o755);
  return { folder, set, read: (key) => readFileSync(path.join(folder, key), 'utf8').trim().slice(1, -1) };
}
