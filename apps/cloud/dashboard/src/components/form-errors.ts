import type { ApiError } from '../data/api.ts';

/**
 * Shows the messages of a 422 next to their fields. Returns the error if part of it belongs to no field of the form.
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
