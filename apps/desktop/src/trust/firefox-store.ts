import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { StoreOutcome, TrustStore } from './trust-store.ts';

interface Policies {
  policies?: { Certificates?: { Install?: string[] } & Record<string, unknown> } & Record<string, unknown>;
}

/**
 * Firefox takes roots from an enterprise policy file. What an administrator wrote into it stays; of ours nothing stays
 * behind. `folder`: `/etc/firefox/policies`, or `distribution` beside the program.
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

  function write(policies: Policies | null): StoreOutcome {
    try {
      if (policies === null) {
        rmSync(file, { force: true });
        try {
          rmdirSync(folder);
        } catch {
          // It contains files of other programs.
        }
      } else {
        mkdirSync(folder, { recursive: true });
        writeFileSync(file, `${JSON.stringify(policies, null, 2)}\n`);
      }
      return { kind: 'done' };
    } catch (error) {
      return {
        kind: 'failed',
        reason: `${file} cannot be changed (${(error as NodeJS.ErrnoException).code}). It needs an administrator.`,
      };
    }
  }

  const listed = (policies: Policies | 'damaged' | null): readonly string[] =>
    policies === null || policies === 'damaged' ? [] : (policies.policies?.Certificates?.Install ?? []);

  return {
    name: 'firefox',
    async state(root) {
      if (!isFirefoxHere()) return missing;
      return listed(read()).includes(root.path) ? { kind: 'installed' } : { kind: 'absent' };
    },
    async install(root) {
      if (!isFirefoxHere()) return missing;
      const found = read();
      if (found === 'damaged') {
        return { kind: 'failed', reason: `${file} is not valid JSON, so it was left as it is.` };
      }
      if (listed(found).includes(root.path)) return { kind: 'done' };
      const policies = found?.policies ?? {};
      const certificates = policies.Certificates ?? {};
      const Install = [...(certificates.Install ?? []), root.path];
      return write({ ...found, policies: { ...policies, Certificates: { ...certificates, Install } } });
    },
    async remove(root) {
      const found = read();
      if (found === null || found === 'damaged' || !listed(found).includes(root.path))
        return { kind: 'done' };
      const { Certificates = {}, ...others } = found.policies ?? {};
      const { Install = [], ...settings } = Certificates;
      const rest = Install.filter((entry) => entry !== root.path);
      const certificates = rest.length > 0 ? { ...settings, Install: rest } : settings;
      const policies =
        Object.keys(certificates).length > 0 ? { ...others, Certificates: certificates } : others;
      const isEmpty = Object.keys(policies).length === 0 && Object.keys(found).length === 1;
      return write(isEmpty ? null : { ...found, policies });
    },
  };
}
