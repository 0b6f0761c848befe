import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { tempFolder } from '../temp-folder.ts';

export interface FakeCertutil {
  /** The only folder to put on the PATH: it contains no tool of another store. */
  readonly folder: string;
  /** True while the store contains the certificate. */
  isHeld(): boolean;
  hold(): void;
  release(): void;
}

/** NSS's `certutil` for processes. `onRemove`: the shell commands of its `-D`. */
export function fakeCertutil(onRemove = 'exit 0'): FakeCertutil {
  const folder = tempFolder('certutil');
  const held = path.join(folder, 'held');
  const script = `#!/bin/sh
case "$*" in
  *' -L '*) [ -e "${held}" ] || exit 255 ;;
  *' -A '*) : > "${held}" ;;
  *' -D '*) ${onRemove} ;;
esac
`;
  writeFileSync(path.join(folder, 'certutil'), script);
  chmodSync(path.join(folder, 'certutil'), 0o755);
  return {
    folder,
    isHeld: () => existsSync(held),
    hold: () => writeFileSync(held, ''),
    release: () => rmSync(held, { force: true }),
  };
}
