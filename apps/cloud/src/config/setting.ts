/** An environment variable with its description and parser. */
export interface Setting<T> {
  readonly env: string;
  readonly about: string;
  /** The default, as shown in the manual. */
  readonly fallback: string;
  /** Returns the value, or throws a sentence about what is accepted. */
  readonly read: (text: string | undefined) => T;
}

export function setting<T>(
  env: string,
  about: string,
  fallback: string,
  read: Setting<T>['read'],
): Setting<T> {
  return { env, about, fallback, read };
}

export function text(env: string, about: string, fallback?: string): Setting<string | undefined> {
  return setting(env, about, fallback ?? 'unset', (value) => value ?? fallback);
}

export function integer(
  env: string,
  about: string,
  fallback: number,
  min: number,
  max: number,
): Setting<number> {
  return setting(env, about, String(fallback), (value) => {
    if (value === undefined) return fallback;
    const number = Number(value);
    if (!Number.isInteger(number) || number < min || number > max) {
      throw new Error(`must be a whole number from ${min} to ${max}, not "${value}"`);
    }
    return number;
  });
}

export function flag(env: string, about: string): Setting<boolean> {
  return setting(env, about, 'off', (value) => {
    if (value === undefined || ['', '0', 'false', 'off', 'no'].includes(value.toLowerCase())) return false;
    if (['1', 'true', 'on', 'yes'].includes(value.toLowerCase())) return true;
    throw new Error(`must be on or off, not "${value}"`);
  });
}

export function address(
  env: string,
  about: string,
  protocols: readonly string[],
  fallback?: string,
): Setting<string | undefined> {
  return setting(env, about, fallback ?? 'unset', (value) => {
    if (value === undefined) return fallback;
    const url = URL.parse(value);
    if (url === null || !protocols.includes(url.protocol)) {
      throw new Error(`must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`);
    }
    return value.replace(/\/+$/, '');
  });
}

export function oneOf<T extends string, F extends T | undefined>(
  env: string,
  about: string,
  names: readonly T[],
  fallback: F,
): Setting<T | F> {
  return setting<T | F>(env, about, fallback ?? 'unset', (value) => {
    const found = value === undefined ? fallback : names.find((name) => name === value);
    if (value !== undefined && found === undefined)
      throw new Error(`must be ${listed(names)}, not "${value}"`);
    return found as T | F;
  });
}

export function listed(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

export const WEB_SCHEMES = ['http:', 'https:'] as const;
