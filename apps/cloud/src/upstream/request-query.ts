/** Query parameters that the providers' packages send; all others are dropped, because they would pass unscanned. */
const PASSED: ReadonlySet<string> = new Set([
  'after',
  'after_id',
  'alt',
  'api-version',
  'before_id',
  'beta',
  'include',
  'include[]',
  'include_obfuscation',
  'limit',
  'order',
  'pageSize',
  'pageToken',
  'starting_after',
  'stream',
]);
const PLAIN_VALUE = /^[\w.:-]{1,64}$/;

/** Returns the client's query string by allow-list, in its original order: `?…`, or empty. */
export function buildRequestQuery(query: string | undefined): string {
  if (query === undefined || query === '') return '';
  const passed = [...new URLSearchParams(query)].filter(
    ([name, value]) => PASSED.has(name) && PLAIN_VALUE.test(value),
  );
  return passed.length === 0 ? '' : `?${new URLSearchParams(passed)}`;
}
