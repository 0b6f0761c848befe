/** What a value was chosen on; `no record`: by hand, and only the recorded readings (`test/golden/readings`) hold it. */
export type ChosenOn =
  | 'real sessions'
  | 'honest documents'
  | 'real tool results'
  | 'real texts of users'
  | 'honest descriptions of tools'
  | 'arithmetic'
  | 'no record';

/** A threshold, a confidence that is compared with one, a shift, or a share from which something counts. */
export type OperatingPoint = readonly [value: number, role: string, chosenOn: ChosenOn];

/** Returns the values of a table by their names. */
export function valuesOf<Name extends string>(
  table: Readonly<Record<Name, OperatingPoint>>,
): Readonly<Record<Name, number>> {
  const values = {} as Record<Name, number>;
  for (const name in table) values[name] = table[name][0];
  return values;
}
