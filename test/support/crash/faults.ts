/** A difference that the comparison found. */
export interface Fault {
  readonly kind: 'lost' | 'doubled' | 'wrong';
  readonly what: string;
}

/** Checks that a count lies within bounds. */
export function counted(what: string, count: number, least: number, most: number): Fault[] {
  if (count < least) return [{ kind: 'lost', what: `${what}: ${count}, at least ${least} due` }];
  if (count > most) return [{ kind: 'doubled', what: `${what}: ${count}, at most ${most} due` }];
  return [];
}
