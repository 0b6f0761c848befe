export function isIpv4(candidate: string): boolean {
  const parts = candidate.split('.');
  return (
    parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)
  );
}

const VERSION_BEFORE =
  /(?:\bv|\bver\.?|version|release|build|firmware|revision|rev|chapter|section|§|oid|\bgo|php|python|node|java|nginx|chrome|safari|edg|opr|firefox|mozilla|webkit|gecko|assembly\w*)\s*[:=/"'-]{0,3}\s*(?:is\s+|number\s+|to\s+|from\s+)?["']?$/i;

/** True if four numbers with dots are a version, a section or an object identifier. */
export function isVersionContext(before: string): boolean {
  return VERSION_BEFORE.test(before);
}

/** True for addresses that identify no person: private, loopback, link-local, documentation, unspecified (RFC 6890). */
export function isSpecialIp(address: string): boolean {
  if (address.includes(':')) return /^(?:::|fe[89ab]|f[cd]|2001:db8|ff)/i.test(address);
  const [a = 0, b = 0, c = 0] = address.split('.').map(Number);
  return (
    a === 10 ||
    a === 127 ||
    a === 0 ||
    a >= 224 ||
    (a === 192 && b === 168) ||
    (a === 172 && b >= 16 && b <= 31) ||
    (a === 169 && b === 254) ||
    (a === 100 && b >= 64 && b <= 127) ||
    (a === 192 && b === 0 && (c === 0 || c === 2)) ||
    (a === 198 && (b === 18 || b === 19 || (b === 51 && c === 100))) ||
    (a === 203 && b === 0 && c === 113)
  );
}
