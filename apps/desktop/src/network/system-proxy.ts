/**
 * The machine's proxy setting, changed and taken back. Every change is written to the restore journal before it is
 * made. Called by the agent. Never decides who is protected, never touches what the user has changed meanwhile.
 */
/** Runs a command; never rejects. `code` is null where it could not be started. */
export type RunCommand = (
  file: string,
  args: readonly string[],
) => Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;

/** Values by name, in an adapter's own words; a value that is not set is an empty string. Plain data. */
export type ProxyValues = Readonly<Record<string, string>>;

export type SettingOutcome<T> =
  | { readonly kind: 'ok'; readonly value: T }
  /** A sentence for a person: no session bus, no permission, a tool that is missing, a value that did not stick. */
  | { readonly kind: 'failed'; readonly reason: string };

/** How apps find the company's proxy: a PAC file, automatic discovery (WPAD), or proxies that are named. */
export type CompanySetting =
  | { readonly kind: 'pac'; readonly address: string }
  | { readonly kind: 'discovery' }
  | { readonly kind: 'manual'; readonly manual: ManualProxy };

/** `host:port`; null: those go direct. */
export interface ManualProxy {
  readonly https: string | null;
  readonly http: string | null;
  readonly socks: string | null;
  /** As the system writes them: names, patterns with a star, networks such as 10.0.0.0/8, `<local>`. */
  readonly bypass: readonly string[];
  /** `user:password` of the proxy for http, percent-encoded. */
  readonly credentials?: string;
}

/** One OS's proxy setting. */
export interface SystemProxy {
  readonly name: 'gsettings' | 'networksetup' | 'wininet';
  read(): Promise<SettingOutcome<ProxyValues>>;
  /** Sets these values and no others. What really holds is what `read` says afterwards. */
  write(values: ProxyValues): Promise<SettingOutcome<null>>;
  /** The values that have to change so that the machine asks this PAC file. Pure. */
  withPac(values: ProxyValues, url: string): ProxyValues;
  /** The values that have to change so that it asks none. Pure. */
  withoutPac(values: ProxyValues): ProxyValues;
  /** What a PAC file of ours replaces or bypasses, if the machine's values are these. */
  readCompany(values: ProxyValues): Promise<SettingOutcome<CompanySetting | null>>;
  /** The PAC file it asks now, or null. Pure. */
  pacOf(values: ProxyValues): string | null;
}

/** Writes what differs and reads back: some tools say that all is well and store nothing. */
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
  return { kind: 'failed', reason: `The system did not keep the proxy setting (${lost.join(', ')}).` };
}

export const ok = <T>(value: T): SettingOutcome<T> => ({ kind: 'ok', value });
export const failed = (reason: string): { kind: 'failed'; reason: string } => ({ kind: 'failed', reason });
