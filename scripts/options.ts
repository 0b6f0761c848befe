/** Options of a script: `--help` lists them; anything unknown is one sentence and exit code 2. */
import { type ParseArgsOptionDescriptor, parseArgs } from 'node:util';

export interface ScriptOption extends ParseArgsOptionDescriptor {
  readonly help: string;
  /** Placeholder of the value, such as FILE. */
  readonly value?: string;
}

export interface Script<Options extends Readonly<Record<string, ScriptOption>>> {
  /** The command line, such as `npm run eval --`. */
  readonly command: string;
  readonly about: string;
  readonly options: Options;
  /** Operands after the options, such as `[FILE …]`; absent: none. */
  readonly operands?: string;
}

type Values<Options extends Readonly<Record<string, ScriptOption>>> = ReturnType<
  typeof parseArgs<{ options: Options; strict: true }>
>['values'];

/** Returns the values of the options; ends the process with 0 after `--help`, with 2 after an unknown argument. */
export function readOptions<const Options extends Readonly<Record<string, ScriptOption>>>(
  script: Script<Options>,
  args: readonly string[] = process.argv.slice(2),
): Values<Options> {
  return readArguments(script, args).values;
}

/** Like readOptions, including the operands. */
export function readArguments<const Options extends Readonly<Record<string, ScriptOption>>>(
  script: Script<Options>,
  args: readonly string[] = process.argv.slice(2),
): { readonly values: Values<Options>; readonly operands: readonly string[] } {
  const read = parseOptions(script, args);
  if ('values' in read) return read;
  (read.exitCode === 0 ? process.stdout : process.stderr).write(read.text);
  process.exit(read.exitCode);
}

export type ParsedOptions<Options extends Readonly<Record<string, ScriptOption>>> =
  | { readonly values: Values<Options>; readonly operands: readonly string[] }
  | { readonly text: string; readonly exitCode: 0 | 2 };

/** Like readArguments, without ending the process. */
export function parseOptions<const Options extends Readonly<Record<string, ScriptOption>>>(
  script: Script<Options>,
  args: readonly string[],
): ParsedOptions<Options> {
  if (args.includes('--help') || args.includes('-h')) return { text: usage(script), exitCode: 0 };
  try {
    const allowPositionals = script.operands !== undefined;
    const { options } = script;
    const { values, positionals } = parseArgs({ args: [...args], options, strict: true, allowPositionals });
    return { values, operands: positionals };
  } catch (error) {
    // Node's own hint about positional arguments is a second sentence.
    const [sentence] = String(error instanceof Error ? error.message : error).split(/\. (?=To )/);
    return { text: `${sentence?.replace(/\.$/, '')}. See --help.\n`, exitCode: 2 };
  }
}

function usage({
  command,
  about,
  options,
  operands,
}: Script<Readonly<Record<string, ScriptOption>>>): string {
  const rows = Object.entries(options).map(([name, { value, help, default: fallback }]) => [
    `--${name}${value === undefined ? '' : ` ${value}`}`,
    fallback === undefined || fallback === false ? help : `${help} (default: ${String(fallback)})`,
  ]);
  rows.push(['--help', 'Show this help']);
  const width = Math.max(...rows.map(([name = '']) => name.length)) + 2;
  const lines = rows.map(([name = '', help = '']) => `  ${name.padEnd(width)}${help}`);
  return `Usage: ${command} [options]${operands === undefined ? '' : ` ${operands}`}\n\n${about}\n\nOptions:\n${lines.join('\n')}\n`;
}
