import { VALUE } from '../operating-points/values.ts';
import type { PiiSpan } from '../pii/spans.ts';
import { matchAt } from '../read/match-at.ts';
import { PLACEHOLDER } from './assigned-secret.ts';
import { COMMAND_PASSWORD, secretSpan } from './secret-span.ts';
import { PASSWORD_TEMPLATE } from './url-password.ts';

export const COMMAND = 'curl';
/** The maximum distance from the command to the end of its options. */
export const MAX_COMMAND = 240;
/** `-u name:password`, also with other letters before the `u`, and in quotes. */
const CREDENTIALS = /\s(?:-[a-zA-Z#]{0,8}u|--user|--proxy-user|-U)[ =]{0,2}\\?(["']?)[^\s:"'\\$<>]{1,80}:/g;
const VALUE_FORM = /[^\s"'\\<>`]{3,100}/y;
const QUOTED = /[^\n"'\\<>`]{3,100}(?=\\?["'])/y;

/** Returns the password in the options of the command at `at`; undefined: none. */
export function commandPasswordAt(text: string, at: number): PiiSpan | undefined {
  if (!text.startsWith(COMMAND, at)) return undefined;
  const from = at + COMMAND.length;
  const next = text.indexOf(COMMAND, from);
  const options = text.slice(from, Math.min(from + MAX_COMMAND, next < 0 ? text.length : next));
  const named = matchAt(CREDENTIALS, options, 0);
  if (named === null) return undefined;
  const start = from + named.index + named[0].length;
  const value = matchAt(named[1] === '' ? VALUE_FORM : QUOTED, text, start)?.[0];
  if (value === undefined || /^[${(%[*]|\*\*\*/.test(value)) return undefined;
  if (PLACEHOLDER.test(value) || PASSWORD_TEMPLATE.test(value)) return undefined;
  return secretSpan(start, start + value.length, COMMAND_PASSWORD, VALUE.commandPassword);
}
