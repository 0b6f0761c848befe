import { parseContainer } from '../text/index.ts';
import { type ArgumentClass, argumentClass } from './argument-classes.ts';

/** One scalar of a call's arguments. */
export interface ArgumentField {
  /** JSON pointer, from the arguments on. */
  readonly path: string;
  readonly class: ArgumentClass | null;
  readonly text: string;
}

const MAX_FIELDS = 5_000;
const MAX_DEPTH = 30;

/** Every scalar of the arguments, also of JSON that is held in a string; what is unnamed belongs to what is around it. */
export function argumentFields(args: Readonly<Record<string, unknown>>): ArgumentField[] {
  const fields: ArgumentField[] = [];
  walk(fields, args, '', null, 0);
  return fields;
}

function walk(
  fields: ArgumentField[],
  value: unknown,
  path: string,
  around: ArgumentClass | null,
  depth: number,
): void {
  if (fields.length >= MAX_FIELDS || depth > MAX_DEPTH) return;
  if (typeof value === 'string') {
    const inner = parseContainer(value);
    if (inner === null) fields.push({ path, class: around, text: value });
    else walk(fields, inner, path, around, depth + 1);
  } else if (typeof value === 'number') fields.push({ path, class: around, text: String(value) });
  else if (Array.isArray(value))
    value.forEach((item, index) => {
      walk(fields, item, `${path}/${index}`, around, depth + 1);
    });
  else if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value))
      walk(fields, member, `${path}/${name}`, argumentClass(name) ?? around, depth + 1);
}
