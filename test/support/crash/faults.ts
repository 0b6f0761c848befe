/** What a comparison of the books may find. */
export interface Fault {
  readonly kind: 'lost' | 'doubled' | 'wrong';
  readonly what: string;
}

/** A count that has to lie within bounds. */
export function counted(what: string, count: number, least: number, most: number): Fault[] {
  if (count < least) return [{ kind: 'lost', what: `${what}: ${count}, at least ${least} due` }];
  if (count > most) return [{ kind: 'doubled', what: `${what}: ${count}, at most ${most} due` }];
  return [];
}
