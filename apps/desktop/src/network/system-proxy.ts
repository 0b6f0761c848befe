/**
 * Changes and restores the computer's proxy setting. Every change is written to the restore journal first. Called by
 * the agent. Never decides who is protected, never touches values that the user has changed since.
 */
/** Runs a command; never rejects. `code` is null if it could not be started. */
export type RunCommand = (
  file: string,
  args: readonly string[],
) => Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;

/** Values by name, in the adapter's own notation; a missing value is an empty string. Plain data. */
export type ProxyValues = Readonly<Record<string, string>>;

export type SettingOutcome<T> =
  | { readonly kind: 'ok'; readonly value: T }
  /** For the user: no session bus, no permission, a missing tool, a value that was not stored. */
  | { readonly kind: 'failed'; readonly reason: string };

/** How apps find the company's proxy: a PAC file, automatic discovery (WPAD), or individual proxies. */
export type CompanySetting =
  | { readonly kind: 'pac'; readonly address: string }
  | { readonly kind: 'discovery' }
  | { readonly kind: 'manual'; readonly manual: ManualProxy };

/** `host:port`; null: this scheme goes direct. */
export interface ManualProxy {
  readonly https: string | null;
  readonly http: string | null;
  readonly socks: string | null;
  /** In the system's notation: names, patterns with an asterisk, networks such as 10.0.0.0/8, `<local>`. */
  readonly bypass: readonly string[];
  /** `user:password` of the HTTP proxy, percent-encoded. */
  readonly credentials?: string;
}

/** One OS's proxy setting. */
export interface SystemProxy {
  readonly name: 'gsettings' | 'networksetup' | 'wininet';
  read(): Promise<SettingOutcome<ProxyValues>>;
  /** Sets only these values. `read` returns what was actually stored. */
  write(values: ProxyValues): Promise<SettingOutcome<null>>;
  /** Returns the values to change so that the computer uses this PAC file. Pure. */
  withPac(values: ProxyValues, url: string): ProxyValues;
  /** Returns the values to change so that it uses none. Pure. */
  withoutPac(values: ProxyValues): ProxyValues;
  /** Returns the company's setting that our PAC files replace or bypass, for these values of the computer. */
  readCompany(values: ProxyValues): Promise<SettingOutcome<CompanySetting | null>>;
  /** Returns the PAC file in use, or null. Pure. */
  pacOf(values: ProxyValues): string | null;
}

/** Writes the values that differ and reads them back: some tools report success without storing anything. */
export async function applyValues(
  adapter: SystemProxy,
  wanted: ProxyValues,
): Promise<SettingOutcome<ProxyValues>> {
  const before = await adapter.read();
  if (before.kind === 'failed') return before;
  const changes = Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => before.value[name] !== value),
  );
  if (Object.keys(changes).length === 0) return before;
  const written = await adapter.write(changes);
  if (written.kind === 'failed') return written;
  const after = await adapter.read();
  if (after.kind === 'failed') return after;
  const lost = Object.keys(changes).filter((name) => after.value[name] !== wanted[name]);
  if (lost.length === 0) return after;
  return { kind: 'failed', reason: `The system did not save the proxy setting (${lost.join(', ')}).` };
}

export const ok = <T>(value: T): SettingOutcome<T> => ({ kind: 'ok', value });
export const failed = (reason: string): { kind: 'failed'; reason: string } => ({ kind: 'failed', reason });
