import type { ApiError } from '../data/api.ts';

/**
 * Puts the sentences of a 422 next to their fields. Returns the fault where something of it has no field of the form.
 */
export function toFields(
  error: ApiError,
  form: { setErrors(errors: Record<string, string>): void; values: object },
): ApiError | null {
  const own = Object.entries(error.fields).map(([name, text]) => [name.split('.')[0]!, text] as const);
  const known = own.filter(([name]) => name in form.values);
  form.setErrors(Object.fromEntries(known));
  return known.length > 0 && known.length === own.length ? null : error;
}
