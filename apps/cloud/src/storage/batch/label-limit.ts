/** Clients choose labels freely: further ones of a key's day are not stored. */
const MAX_LABELS = 1_000;

/** Returns whether a label of a key's request is stored: the first 1,000 different ones of a day (UTC) are. */
export function createLabelLimit(): (keyId: string, day: string, label: string) => boolean {
  let today = '';
  let byKey = new Map<string, Set<string>>();
  return (keyId, day, label) => {
    if (day > today) {
      today = day;
      byKey = new Map();
    }
    let known = byKey.get(keyId);
    if (known === undefined) {
      known = new Set();
      byKey.set(keyId, known);
    }
    if (known.has(label)) return true;
    if (known.size >= MAX_LABELS) return false;
    known.add(label);
    return true;
  };
}
