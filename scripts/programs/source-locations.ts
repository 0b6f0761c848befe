import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'rolldown';

const THREAD = /new URL\('(\.{1,2}\/[\w./-]+\.ts)', import\.meta\.url\)/g;
const OWN_LOCATION = /\bimport\.meta\.(url|filename|dirname)\b/g;
const COMMONJS_LOCATION = /\b__(?:dirname|filename)\b/;

/**
 * Lets code find files relative to itself, wherever it is built to: the location of a module is that of its source. A
 * source file that is started by its path, `new URL('./thread.ts', import.meta.url)`, is built too, and `onProgram` is
 * told; `nameOf` names its file, in the folder of all others.
 */
export function sourceLocations(nameOf: (file: string) => string, onProgram: (file: string) => void): Plugin {
  return {
    name: 'source-locations',
    transform: {
      order: 'pre',
      filter: { code: /\bimport\.meta\.(?:url|filename|dirname)\b|\b__(?:dirname|filename)\b/ },
      handler(code, id) {
        if (!path.isAbsolute(id)) return null;
        const names = { url: pathToFileURL(id).href, filename: id, dirname: path.dirname(id) };
        if (isCommonJs(id)) {
          if (!COMMONJS_LOCATION.test(code)) return null;
          const { filename, dirname } = names;
          return {
            code: `var __filename = ${JSON.stringify(filename)}, __dirname = ${JSON.stringify(dirname)};\n${code}`,
          };
        }
        const parts = code.split(THREAD);
        // Every second part is a thread's file.
        const replaced = parts.map((part, index) => {
          if (index % 2 === 0)
            return part.replace(OWN_LOCATION, (_, name: keyof typeof names) => JSON.stringify(names[name]));
          const file = path.resolve(names.dirname, part);
          this.emitFile({ type: 'chunk', id: file, fileName: nameOf(file) });
          onProgram(file);
          return `new URL('./${nameOf(file)}', import.meta.url)`;
        });
        return { code: replaced.join('') };
      },
    },
  };
}

/** Node's own rule. */
function isCommonJs(file: string): boolean {
  const extension = path.extname(file);
  if (extension === '.cjs') return true;
  if (extension !== '.js') return false;
  const manifest = findPackageJSON('.', pathToFileURL(file));
  if (manifest === undefined) return true;
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { type?: string }).type !== 'module';
}
