import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'rolldown';

/** What Node would load of this package cannot be followed: it passes its `require` on. */
export const ALIASES = { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' };
const PROGRAM = /new URL\('(\.{1,2}\/[\w./-]+\.ts)', import\.meta\.url\)/g;
const OWN_LOCATION = /\bimport\.meta\.(url|filename|dirname)\b/g;
const COMMONJS_LOCATION = /\b__(?:dirname|filename)\b/;

export interface Locations {
  /** The name of a program's built file. */
  nameOf(source: string): string;
  /** Called for each program and thread that is started by its path. */
  onProgram?(source: string): void;
  /** True if modules find files relative to their sources; otherwise relative to the built file. */
  readonly areKept: boolean;
}

/**
 * A source file that is started by its path, `new URL('./thread.ts', import.meta.url)`, is built as well, and the path
 * is that of the built file.
 */
export function sourceLocations({ nameOf, onProgram, areKept }: Locations): Plugin {
  const references = new Map<string, string>();
  return {
    name: 'source-locations',
    transform: {
      order: 'pre',
      filter: { code: /\bimport\.meta\.(?:url|filename|dirname)\b|\b__(?:dirname|filename)\b/ },
      handler(code, id) {
        if (!path.isAbsolute(id)) return null;
        const own = { url: pathToFileURL(id).href, filename: id, dirname: path.dirname(id) };
        if (isCommonJs(id)) {
          if (!areKept || !COMMONJS_LOCATION.test(code)) return null;
          const { filename, dirname } = own;
          return {
            code: `var __filename = ${JSON.stringify(filename)}, __dirname = ${JSON.stringify(dirname)};\n${code}`,
          };
        }
        const withPrograms = code.replace(PROGRAM, (_, relative: string) => {
          const source = path.resolve(own.dirname, relative);
          let reference = references.get(source);
          if (reference === undefined) {
            reference = this.emitFile({
              type: 'chunk',
              id: source,
              fileName: nameOf(source),
              preserveSignature: 'allow-extension',
            });
            references.set(source, reference);
            onProgram?.(source);
          }
          return `new URL(import.meta.ROLLUP_FILE_URL_${reference})`;
        });
        if (!areKept) return { code: withPrograms };
        return {
          code: withPrograms.replace(OWN_LOCATION, (_, name: keyof typeof own) => JSON.stringify(own[name])),
        };
      },
    },
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type === 'chunk' && !chunk.isEntry && /\bimport\.meta\.main\b/.test(chunk.code))
          this.error(
            `${chunk.name}: a program that others import cannot be built: it would never be the main module.`,
          );
      }
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
