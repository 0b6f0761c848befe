import { bareToolName, nameWords, type SlotRole, type Steps } from '../../text/index.ts';
import { readToolCallsInSteps } from './read-calls.ts';
import { type DefinedTool, readDefinedTools, readResultTools } from './read-request-tools.ts';

/** Complete names of tools for files or commands: `Read`, `Bash`, `Grep`. */
const NAMES = new Set('read write edit multiedit ls cat view glob grep rg'.split(' '));
/** Words in names of such tools: `read_file`, `run_command`, `apply_patch`. */
const WORDS = new Set(
  'file files filesystem directory dir folder shell bash zsh sh terminal powershell command commands cmd exec grep glob ripgrep patch repo repository git notebook jupyter ipython python interpreter tmux codebase workspace'.split(
    ' ',
  ),
);
/** Words for the files of an office, not of a project. */
const OFFICE = new Set(
  'drive cloud share shared attachment attachments mail email dropbox onedrive box'.split(' '),
);
/** Parameters that only such tools have. */
const PARAMETERS = new Set(
  'command cmd file_path filepath file_text old_string new_string old_str new_str patch diff workdir cwd'.split(
    ' ',
  ),
);

/** True if a tool reads or edits files or runs commands, by its name or its parameters. */
export function isCodeTool(name: string, parameters: readonly string[] = []): boolean {
  const words = nameWords(bareToolName(name));
  if (words.some((word) => OFFICE.has(word))) return false;
  if (NAMES.has(words.join(''))) return true;
  return words.some((word) => WORDS.has(word)) || parameters.some((parameter) => PARAMETERS.has(parameter));
}

/**
 * Returns a test for the JSON pointers of texts that are results of tools for files and commands, or a user's (by the
 * role) in a request with such a tool. A result without a call id is one if every tool of the request is such a tool.
 */
export function* readCodeResults(request: unknown): Steps<(path: string, role?: SlotRole) => boolean> {
  const defined = readDefinedTools(request);
  yield;
  const calls = yield* readToolCallsInSteps(request);
  const names = new Set([...defined.keys(), ...calls.map(({ name }) => name)]);
  const code = new Set([...names].filter((name) => isCode(name, defined)));
  if (code.size === 0) return () => false;
  const toolOf = yield* readResultTools(request, calls);
  return (path, role) => {
    if (role === 'user') return true;
    const tool = toolOf(path);
    return tool === null ? code.size === names.size : code.has(tool) || isCode(tool, defined);
  };
}

function isCode(name: string, defined: ReadonlyMap<string, DefinedTool>): boolean {
  return isCodeTool(name, defined.get(name)?.parameters);
}
