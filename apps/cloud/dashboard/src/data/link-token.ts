/** The one-time token of a link (`#token=…`). Browsers do not send the part after `#` to any server, so no log contains it. */
export function linkToken(hash: string, search = ''): string {
  return (
    new URLSearchParams(hash.replace(/^#/, '')).get('token') ?? new URLSearchParams(search).get('token') ?? ''
  );
}
