/** A JSON value in which every text can be replaced, one at a time, also within an encoding. */
export type Template =
  | string
  | number
  | boolean
  | null
  | Encoded
  | readonly Template[]
  | { readonly [name: string]: Template };

/** A string that contains a text or JSON in another encoding. */
class Encoded {
  readonly inside: Template;
  readonly spell: (inside: unknown) => string;
  constructor(inside: Template, spell: (inside: unknown) => string) {
    this.inside = inside;
    this.spell = spell;
  }
}

const inBase64 = (text: unknown): string => Buffer.from(String(text)).toString('base64');

export const json = (inside: Template): Encoded => new Encoded(inside, (value) => JSON.stringify(value));
export const base64 = (text: string): Encoded => new Encoded(text, inBase64);
export const dataUrl = (type: string, text: string, spelling: 'base64' | 'percent' = 'base64'): Encoded =>
  new Encoded(text, (inside) =>
    spelling === 'base64'
      ? `data:${type};base64,${inBase64(inside)}`
      : `data:${type},${encodeURIComponent(String(inside))}`,
  );

/** Returns the value with its texts and members changed by `change`, texts within encodings included. */
export function reshape(
  template: Template,
  change: {
    readonly text: (text: string, encoding: 'none' | 'json' | 'other') => string;
    readonly members: (members: Record<string, unknown>) => Record<string, unknown>;
  },
  encoding: 'none' | 'json' | 'other' = 'none',
): unknown {
  if (typeof template === 'string') return change.text(template, encoding);
  if (template instanceof Encoded) {
    const within = typeof template.inside === 'string' ? 'other' : 'json';
    return template.spell(reshape(template.inside, change, within));
  }
  if (typeof template !== 'object' || template === null) return template;
  if (Array.isArray(template)) return template.map((item) => reshape(item, change, encoding));
  const members = Object.entries(template).map(([name, value]) => [name, reshape(value, change, encoding)]);
  return encoding === 'none' ? change.members(Object.fromEntries(members)) : Object.fromEntries(members);
}

/** One place for a canary: a text, an unknown member's name, or the value of such a member. */
export interface Place {
  /** JSON pointer of the value or member; within encoded JSON that of the surrounding string. */
  readonly pointer: string;
  readonly kind: 'value' | 'name' | 'unknown member';
  /** Within JSON, base64 or a URL. */
  readonly isEncoded: boolean;
  /** A number may replace a text, too. */
  readonly put: (canary: string | number) => unknown;
}

const UNKNOWN = 'x_unheard_of';
/** A path step into an encoded text, among member names. */
const INSIDE = '~';

/** Returns the unchanged value. */
export function plain(template: Template): unknown {
  return build(template, null, '');
}

/** Returns every place of the template. */
export function placesOf(template: Template): Place[] {
  const places: Place[] = [];
  const visit = (here: Template, pointer: string, steps: readonly string[], encoded: boolean): void => {
    const at = (kind: Place['kind'], where: string): void => {
      const target = { steps: steps.join('\n'), kind };
      places.push({
        pointer: encoded ? pointer : where,
        kind,
        isEncoded: encoded,
        put: (canary) => build(template, target, canary),
      });
    };
    if (typeof here === 'string') at('value', pointer);
    else if (here instanceof Encoded) visit(here.inside, pointer, [...steps, INSIDE], true);
    else if (typeof here === 'object' && here !== null) {
      if (!Array.isArray(here)) {
        at('name', `${pointer}/`);
        at('unknown member', `${pointer}/${UNKNOWN}`);
      }
      for (const [name, value] of Object.entries(here)) {
        visit(value, encoded ? pointer : `${pointer}/${name}`, [...steps, name], encoded);
      }
    }
  };
  visit(template, '', [], false);
  return places;
}

interface Target {
  readonly steps: string;
  readonly kind: Place['kind'];
}

function build(template: Template, target: Target | null, canary: string | number): unknown {
  const make = (here: Template, steps: readonly string[]): unknown => {
    const isHere = target !== null && steps.join('\n') === target.steps;
    if (typeof here === 'string') return isHere && target.kind === 'value' ? canary : here;
    if (here instanceof Encoded) return here.spell(make(here.inside, [...steps, INSIDE]));
    if (typeof here !== 'object' || here === null) return here;
    if (Array.isArray(here)) return here.map((item, i) => make(item, [...steps, String(i)]));
    const members = Object.entries(here).map(([name, value]) => [name, make(value, [...steps, name])]);
    if (isHere && target.kind === 'name') members.push([String(canary), 'x']);
    if (isHere && target.kind === 'unknown member') members.push([UNKNOWN, { deep: [canary] }]);
    return Object.fromEntries(members);
  };
  return make(template, []);
}
