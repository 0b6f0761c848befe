/**
 * Work in steps: it pauses between them, so that its caller can do other work meanwhile, and ends with its result. A step
 * takes far less than a millisecond, except for one pass of a regular expression or of a parser over a whole text.
 */
export type Steps<T> = Generator<void, T, void>;

/** Does all of the work at once. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** The steps of work that takes no time. */
export function* done<T>(value: T): Steps<T> {
  yield* [];
  return value;
}

/** Does something with each item, with a pause after every `stride` of them. */
export function* pausing<T>(items: Iterable<T>, each: (item: T) => void, stride = 64): Steps<void> {
  let count = 0;
  for (const item of items) {
    each(item);
    if (++count % stride === 0) yield;
  }
}

/** Returns what `each` makes of every item, with a pause after every `stride` of them. */
export function* mapping<T, R>(items: Iterable<T>, each: (item: T) => R, stride = 64): Steps<R[]> {
  const made: R[] = [];
  yield* pausing(items, (item) => void made.push(each(item)), stride);
  return made;
}

/** Like `flatMap`, with a pause after every `stride` items. */
export function* flatMapping<T, R>(
  items: Iterable<T>,
  each: (item: T) => R | readonly R[],
  stride = 64,
): Steps<R[]> {
  const made: R[] = [];
  const add = (item: T): void => {
    const result = each(item);
    if (!Array.isArray(result)) made.push(result as R);
    else for (const one of result as readonly R[]) made.push(one);
  };
  yield* pausing(items, add, stride);
  return made;
}

/** Does long work in pieces, and resolves with its result. */
export type Pace = <T>(work: Steps<T>) => Promise<T>;

export const atOnce: Pace = async (work) => finish(work);
