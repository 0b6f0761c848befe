import ipaddr from 'ipaddr.js';

const URL_IN_TEXT = /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'`<>\\]{1,2000}/gi;
/** A whole value that is a host: an address or a name without a scheme, with or without a port and a path. */
const BARE_HOST = /^(?:\[[\da-f:.]+\]|[\da-z.-]+)(?::\d{1,5})?(?:\/\S*)?$/i;
const LOCAL_NAME = /^(?:localhost|.*\.localhost|localhost\.localdomain|ip6-localhost|ip6-loopback)\.?$/;
/** Services that resolve any name with an embedded address to that address. */
const NAMED_ADDRESS = /^(?:.*[.-])?(\d{1,3}[.-]\d{1,3}[.-]\d{1,3}[.-]\d{1,3})\.(?:nip|sslip|xip)\.io\.?$/;
const MAX_VALUE_CHARACTERS = 4_000;

/** Returns whether a value names this computer or its link: loopback, link-local or unspecified addresses. */
export function namesInnerAddress(value: string): boolean {
  const text = value.slice(0, MAX_VALUE_CHARACTERS).trim();
  const urls: string[] = text.match(URL_IN_TEXT) ?? [];
  // A bare number is not taken for an address, because ids look the same.
  if (urls.length === 0 && /[.:a-z]/i.test(text) && BARE_HOST.test(text)) urls.push(`http://${text}`);
  return urls.some((url) => isInnerHost(hostOf(url)));
}

/** Parses hosts as programs that follow the URL standard do: `http://0x7f.1` and `http://2130706433` are 127.0.0.1. */
function hostOf(url: string): string {
  const asHttp = url.replace(/^[^:]+:\/\//, 'http://');
  return URL.canParse(asHttp) ? new URL(asHttp).hostname.replace(/^\[|\]$/g, '') : '';
}

function isInnerHost(host: string): boolean {
  if (LOCAL_NAME.test(host)) return true;
  const named = NAMED_ADDRESS.exec(host)?.[1]?.replaceAll('-', '.');
  const address = named ?? host;
  if (!ipaddr.isValid(address)) return false;
  return INNER_RANGES.has(ipaddr.process(address).range());
}

const INNER_RANGES: ReadonlySet<string> = new Set(['loopback', 'linkLocal', 'unspecified']);
