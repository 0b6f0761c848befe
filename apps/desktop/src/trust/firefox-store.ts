import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { StoreOutcome, TrustedRoot, TrustStore } from './trust-store.ts';

interface Policies {
  policies?: { Certificates?: { Install?: string[] } & Record<string, unknown> } & Record<string, unknown>;
}

/**
 * Firefox takes roots from an enterprise policy file. An administrator's entries stay; removal leaves nothing of ours.
 * `folder`: `/etc/firefox/policies`, or `distribution` next to the program. The policy names a copy of the root in that
 * folder: the agent's own file belongs to the user, who could replace the root in it.
 */
export function createFirefoxStore(folder: string, isFirefoxHere: () => boolean): TrustStore {
  const file = path.join(folder, 'policies.json');
  const missing = { kind: 'unavailable', reason: 'Firefox is not installed.' } as const;

  function read(): Policies | 'damaged' | null {
    if (!existsSync(file)) return null;
    try {
      const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
      return typeof value === 'object' && value !== null && !Array.isArray(value)
        ? (value as Policies)
        : 'damaged';
    } catch {
      return 'damaged';
    }
  }

  const copyOf = ({ sha1 }: TrustedRoot): string => path.join(folder, `content-security-agent-${sha1}.pem`);

  function change(act: () => void): StoreOutcome {
    try {
      act();
      return { kind: 'done' };
    } catch (error) {
      return {
        kind: 'failed',
        reason: `${file} cannot be changed (${(error as NodeJS.ErrnoException).code}). Run the command as an administrator.`,
      };
    }
  }

  function write(policies: Policies): void {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, `${JSON.stringify(policies, null, 2)}\n`);
  }

  const listed = (policies: Policies | 'damaged' | null): readonly string[] =>
    policies === null || policies === 'damaged' ? [] : (policies.policies?.Certificates?.Install ?? []);

  function isInstalled(root: TrustedRoot): boolean {
    const copy = copyOf(root);
    return listed(read()).includes(copy) && existsSync(copy) && readFileSync(copy, 'utf8') === root.pem;
  }

  return {
    name: 'firefox',
    async state(root) {
      if (!isFirefoxHere()) return missing;
      return isInstalled(root) ? { kind: 'installed' } : { kind: 'absent' };
    },
    async install(root) {
      if (!isFirefoxHere()) return missing;
      const found = read();
      if (found === 'damaged') {
        return { kind: 'failed', reason: `${file} is not valid JSON, so it was not changed.` };
      }
      if (isInstalled(root)) return { kind: 'done' };
      const copy = copyOf(root);
      const { Certificates = {}, ...policies } = found?.policies ?? {};
      const others = (Certificates.Install ?? []).filter((entry) => entry !== copy && entry !== root.path);
      const Install = [...others, copy];
      return change(() => {
        write({ ...found, policies: { ...policies, Certificates: { ...Certificates, Install } } });
        writeFileSync(copy, root.pem, { mode: 0o644 });
      });
    },
    async remove(root) {
      const found = read();
      const copy = copyOf(root);
      const ours = [copy, root.path];
      if (found === null || found === 'damaged' || !listed(found).some((entry) => ours.includes(entry)))
        return { kind: 'done' };
      const { Certificates = {}, ...others } = found.policies ?? {};
      const { Install = [], ...settings } = Certificates;
      const rest = Install.filter((entry) => !ours.includes(entry));
      const certificates = rest.length > 0 ? { ...settings, Install: rest } : settings;
      const policies =
        Object.keys(certificates).length > 0 ? { ...others, Certificates: certificates } : others;
      const isEmpty = Object.keys(policies).length === 0 && Object.keys(found).length === 1;
      return change(() => {
        rmSync(copy, { force: true });
        if (!isEmpty) return write({ ...found, policies });
        rmSync(file, { force: true });
        if (readdirSync(folder).length === 0) rmdirSync(folder);
      });
    },
  };
}
