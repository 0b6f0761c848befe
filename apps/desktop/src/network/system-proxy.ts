/** The machine's proxy setting as it was found; opaque to everyone but the adapter that read it. Plain data. */
export interface ProxySetting {
  readonly adapter: 'gsettings' | 'networksetup' | 'wininet';
  /** One entry for each value read, by a name of the adapter's own (a key, or service and key). */
  readonly values: Readonly<Record<string, string>>;
}

export type SettingOutcome<T> =
  | { readonly kind: 'ok'; readonly value: T }
  /** A sentence for a person: no session bus, no permission, a tool that is missing, a value that did not stick. */
  | { readonly kind: 'failed'; readonly reason: string };

/** One OS's proxy setting. Every call reads back what it set. */
export interface SystemProxy {
  readonly name: ProxySetting['adapter'];
  read(): Promise<SettingOutcome<ProxySetting>>;
  /** Points the machine at a PAC file. What is set is what `read` says afterwards. */
  setPac(url: string): Promise<SettingOutcome<ProxySetting>>;
  /**
   * Puts `before` back, value by value, but only where the machine still holds what `ours` says: what the user
   * changed meanwhile is left alone and named.
   */
  restore(
    before: ProxySetting,
    ours: ProxySetting,
  ): Promise<SettingOutcome<{ readonly left: readonly string[] }>>;
}
