/** What a value was chosen on; `no record`: by hand, and only the recorded readings (`test/golden/readings`) hold it. */
type ChosenOn =
  | 'real sessions'
  | 'honest documents'
  | 'real tool results'
  | 'real texts of users'
  | 'honest descriptions of tools'
  | 'arithmetic'
  | 'no record';

/**
 * A threshold, a confidence that is compared with one, a shift, or a share from which something counts. Returns the
 * number alone, so that tables are as fast to read as constants.
 */
export function point(value: number, _role: string, _chosenOn: ChosenOn): number {
  return value;
}
