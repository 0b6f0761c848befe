/** Clients choose model names freely: further models of an organization's day are stored as one sum. */
const MAX_MODELS = 200;
const MAX_LENGTH = 128;
const OTHER = 'other';

/** Returns a function that maps a model to the name under which its usage is stored. */
export function createModelNames(): (organizationId: string, day: string, model: string | null) => string {
  let today = '';
  let byOrganization = new Map<string, Set<string>>();
  return (organizationId, day, model) => {
    if (day > today) {
      today = day;
      byOrganization = new Map();
    }
    const name = (model ?? '').slice(0, MAX_LENGTH);
    let names = byOrganization.get(organizationId);
    if (names === undefined) {
      names = new Set();
      byOrganization.set(organizationId, names);
    }
    if (names.has(name)) return name;
    if (names.size >= MAX_MODELS) return OTHER;
    names.add(name);
    return name;
  };
}
