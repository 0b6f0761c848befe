import { accessSync, constants } from 'node:fs';
import path from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const BROWSER_PATHS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/opt/google/chrome/chrome',
];

/** Returns the system's Chromium: the configured one, else the first on the search path. Null: there is none. */
export function findBrowser(configured: string | undefined, searchPath: string): string | null {
  if (configured !== undefined) return isProgram(configured) ? configured : null;
  const folders = searchPath.split(path.delimiter).filter((folder) => folder !== '');
  const candidates = [
    ...NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name))),
    ...BROWSER_PATHS,
  ];
  return candidates.find(isProgram) ?? null;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
