import ipaddr from 'ipaddr.js';

const URL_IN_TEXT = /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'`<>\\]{1,2000}/gi;
/** A whole value that is a host, with or without a port and a path: an address or a name without a scheme. */
const BARE_HOST = /^(?:\[[\da-f:.]+\]|[\da-z.-]+)(?::\d{1,5})?(?:\/\S*)?$/i;
const LOCAL_NAME = /^(?:localhost|.*\.localhost|localhost\.localdomain|ip6-localhost|ip6-loopback)\.?$/;
/** Services that resolve any name that contains an address to that address. */
const NAMED_ADDRESS = /^(?:.*[.-])?(\d{1,3}[.-]\d{1,3}[.-]\d{1,3}[.-]\d{1,3})\.(?:nip|sslip|xip)\.io\.?$/;
const MAX_VALUE_CHARACTERS = 4_000;

/** Whether a value of a tool call names this computer itself or its link: loopback, link-local, unspecified. */
export function namesInnerAddress(value: string): boolean {
  const text = value.slice(0, MAX_VALUE_CHARACTERS).trim();
  const urls: string[] = text.match(URL_IN_TEXT) ?? [];
  // A number alone is no address: ids look the same.
  if (urls.length === 0 && /[.:a-z]/i.test(text) && BARE_HOST.test(text)) urls.push(`http://${text}`);
  return urls.some((url) => isInnerHost(hostOf(url)));
}

/** As programs that follow the URL standard read it: `http://0x7f.1` and `http://2130706433` are 127.0.0.1. */
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
