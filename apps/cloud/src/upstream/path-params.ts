import { CodedError } from '@csg/shared/contract';

/** Decoded values of the names in braces in an endpoint's path. */
export type PathParams = Readonly<Record<string, string | undefined>>;

/**
 * Inserts the parameters into the path, each as one segment, so that none leads to another URL. `isStrict`: Amazon
 * signs a path in which everything possible is encoded.
 */
export function insertParams(path: string, params: PathParams = {}, isStrict = false): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const segment = encodeSegment(name, params[name] ?? '');
    // As the providers' packages encode it (RFC 3986, section 3.3).
    return isStrict
      ? segment.replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
      : segment.replace(/%(?:24|26|2B|2C|3A|3B|3D|40)/g, decodeURIComponent);
  });
}

function encodeSegment(name: string, value: string): string {
  if (value === '' || value === '.' || value === '..' || !value.isWellFormed())
    throw new CodedError('invalid_request', { message: `The ${name} in the URL is not a valid name.` });
  return encodeURIComponent(value);
}
