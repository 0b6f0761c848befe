/** A delta of a call of chat completions. */
export interface OpenedDelta {
  readonly index: unknown;
  readonly id: string | null;
  readonly name: string | null;
  readonly text: string;
}

interface OpenedCall<Fragment> {
  readonly name: string;
  readonly fragments: Fragment[];
  readonly extent: JsonExtent;
}

/** Calls at one index or with one id: more of them do not make another one possible, but cost time. */
const MAX_ALIKE = 64;

/**
 * Calls as the package `ai` joins them for OpenAI, Mistral and the like: a delta belongs to the call that its id, index
 * and name allow and whose arguments are not complete yet. Where several are possible it belongs to none.
 */
export class OpenedCalls<Fragment> {
  readonly calls: OpenedCall<Fragment>[] = [];
  private readonly ids = new Map<string, OpenedCall<Fragment>[]>();
  private readonly indexes = new Map<unknown, OpenedCall<Fragment>[]>();

  add(delta: OpenedDelta, fragment: Fragment): void {
    const found = this.find(delta);
    if (found === 'several' || (found === 'new' && delta.name === null)) return;
    const call = found === 'new' ? this.open(delta.name!) : found;
    call.fragments.push(fragment);
    call.extent.add(delta.text);
    if (delta.id !== null) addTo(this.ids, delta.id, call);
    if (delta.index !== null) addTo(this.indexes, delta.index, call);
  }

  private open(name: string): OpenedCall<Fragment> {
    const call = { name, fragments: [], extent: new JsonExtent() };
    this.calls.push(call);
    return call;
  }

  private find(delta: OpenedDelta): Found<Fragment> {
    const { index, id, name, text } = delta;
    const atIndex = index === null ? undefined : this.indexes.get(index);
    const withId = id === null ? undefined : this.ids.get(id);
    if (withId !== undefined) return findById(delta, withId, atIndex);
    const matching = named(atIndex ?? [], name);
    if (id !== null) {
      if (matching.length === 0 || begins(delta)) return 'new';
      return pick(matching, name !== null && text.trim() === '');
    }
    if (atIndex !== undefined) return pick(matching, begins(delta));
    return name === null ? pick(this.calls.slice(-MAX_ALIKE), false) : 'new';
  }
}

function findById<Fragment>(
  delta: OpenedDelta,
  withId: readonly OpenedCall<Fragment>[],
  atIndex: readonly OpenedCall<Fragment>[] | undefined,
): Found<Fragment> {
  const { index, name } = delta;
  if (index === null) return pick(named(withId, name), begins(delta));
  const both = named(atIndex ?? [], name).filter((call) => withId.includes(call));
  const found = pick(both, begins(delta));
  if (found !== 'new' || name !== null) return found;
  return atIndex === undefined ? pick(withId, false) : 'several';
}

const named = <Fragment>(
  calls: readonly OpenedCall<Fragment>[],
  name: string | null,
): readonly OpenedCall<Fragment>[] => (name === null ? calls : calls.filter((call) => call.name === name));

/** True if the delta has a name and the first arguments of a call. */
const begins = ({ name, text }: OpenedDelta): boolean => name !== null && /^\s*[{[]/.test(text);

type Found<Fragment> = OpenedCall<Fragment> | 'new' | 'several';

function pick<Fragment>(calls: readonly OpenedCall<Fragment>[], isNew: boolean): Found<Fragment> {
  const [only] = calls;
  if (only === undefined) return 'new';
  if (!isNew && calls.length === 1) return only;
  const [open, other] = calls.filter(({ extent }) => !extent.isComplete);
  if (open !== undefined && other === undefined) return open;
  return open !== undefined || !isNew ? 'several' : 'new';
}

function addTo<Key, Call>(lists: Map<Key, Call[]>, key: Key, call: Call): void {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  if (list.includes(call)) return;
  list.push(call);
  if (list.length > MAX_ALIKE) list.shift();
}

/** Finds where a JSON object or list ends that arrives in pieces. */
class JsonExtent {
  isComplete = false;
  private depth = 0;
  private isInString = false;
  private isEscaped = false;
  private isOther = false;

  add(piece: string): void {
    for (let at = 0; at < piece.length && !this.isComplete && !this.isOther; at++) this.read(piece[at]!);
  }

  private read(sign: string): void {
    if (this.isInString) {
      if (this.isEscaped) this.isEscaped = false;
      else if (sign === '\\') this.isEscaped = true;
      else if (sign === '"') this.isInString = false;
    } else if (sign === '{' || sign === '[') this.depth++;
    else if (this.depth === 0) this.isOther = sign.trim() !== '';
    else if (sign === '"') this.isInString = true;
    else if (sign === '}' || sign === ']') this.isComplete = --this.depth === 0;
  }
}
