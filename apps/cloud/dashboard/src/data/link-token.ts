/** The one-time token of the address (`#token=…`): behind the `#` no server and no log on the way is told it. */
export function linkToken(hash: string, search = ''): string {
  return (
    new URLSearchParams(hash.replace(/^#/, '')).get('token') ?? new URLSearchParams(search).get('token') ?? ''
  );
}
