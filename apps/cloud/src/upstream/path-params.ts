import { CodedError } from '@csg/shared/contract';

/** What the names in braces of an endpoint's path stand for, decoded. */
export type PathParams = Readonly<Record<string, string | undefined>>;

/**
 * The path with its parameters, each in a segment of its own: none leads to another address. `isStrict`: signatures of
 * Amazon are made over a path in which all is encoded that can be.
 */
export function insertParams(path: string, params: PathParams = {}, isStrict = false): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const segment = encodeSegment(name, params[name] ?? '');
    // As the packages of the providers write it (RFC 3986, section 3.3).
    return isStrict
      ? segment.replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
      : segment.replace(/%(?:24|26|2B|2C|3A|3B|3D|40)/g, decodeURIComponent);
  });
}

function encodeSegment(name: string, value: string): string {
  if (value === '' || value === '.' || value === '..' || !value.isWellFormed())
    throw new CodedError('invalid_request', { message: `The ${name} in the address is not a name.` });
  return encodeURIComponent(value);
}
