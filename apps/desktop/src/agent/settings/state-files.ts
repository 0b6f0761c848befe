import { mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { VaultKind } from '../../vault/vault.ts';

/** The stored enrollment. Contains no secrets: those are in the vault. */
export interface Enrollment {
  readonly server: string;
  readonly deviceId: string;
  readonly organizationId: string;
  readonly deviceName: string;
  readonly accountName: string;
  /** Ed25519, SPKI DER, base64: pinned. */
  readonly signingKey: string;
  readonly enrolledAt: string;
  readonly secretsIn?: VaultKind;
  /** The company's proxy of a managed installation; without a password. The environment takes precedence. */
  readonly upstreamProxy?: string;
  readonly upstreamPac?: string;
}

export type EnrollmentRead =
  | { readonly kind: 'ok'; readonly enrollment: Enrollment }
  | { readonly kind: 'missing' }
  /** `reason` is a sentence for the user. */
  | { readonly kind: 'damaged'; readonly reason: string };

export interface StateFiles {
  readonly dir: string;
  /** PEM of the device's root, for stores and clients. */
  readonly root: string;
  /** PEM of the certificate that signs the leaves. */
  readonly issuer: string;
  /** The root that will replace it once programs trust it, and its issuer. */
  readonly nextRoot: string;
  readonly nextIssuer: string;
  /** The previous root, while a store contains it. */
  readonly formerRoot: string;
  /** The computer's roots and ours, for programs that take one file. */
  readonly bundle: string;
  /** Compile cache of our own programs: may be lost at any time. */
  readonly compileCache: string;
  readonly journal: string;
  readonly restore: string;
  readonly control: string;
  /** The proxy's last port: shells and services know it. */
  readonly proxyPort: string;
  readonly enrollmentFile: string;
  enrollment(): EnrollmentRead;
  saveEnrollment(enrollment: Enrollment): void;
  /** Writes atomically; readable by the owner alone unless `mode` says otherwise. */
  write(file: string, text: string, mode?: number): void;
  forget(file: string): void;
  /** Removes all files of the agent, and the folder if it is empty then. Returns what is left. */
  removeAll(): readonly string[];
}

const OWN =
  /^(?:enrollment\.json|(?:next-|former-)?(?:root|issuer)\.pem|ca-bundle\.pem|compile-cache|control\.json|proxy-port|restore\.json|journal\.sqlite.*|.*\.secret|.*\.new)$/;

export function stateFiles(dir: string): StateFiles {
  const enrollmentFile = path.join(dir, 'enrollment.json');

  function write(file: string, text: string, mode = 0o600): void {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const draft = `${file}.${process.pid}.new`;
    writeFileSync(draft, text, { mode });
    renameSync(draft, file);
  }

  return {
    dir,
    root: path.join(dir, 'root.pem'),
    issuer: path.join(dir, 'issuer.pem'),
    formerRoot: path.join(dir, 'former-root.pem'),
    nextRoot: path.join(dir, 'next-root.pem'),
    nextIssuer: path.join(dir, 'next-issuer.pem'),
    bundle: path.join(dir, 'ca-bundle.pem'),
    compileCache: path.join(dir, 'compile-cache'),
    journal: path.join(dir, 'journal.sqlite'),
    restore: path.join(dir, 'restore.json'),
    control: path.join(dir, 'control.json'),
    proxyPort: path.join(dir, 'proxy-port'),
    enrollmentFile,
    enrollment() {
      let text: string;
      try {
        text = readFileSync(enrollmentFile, 'utf8');
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing' };
        return { kind: 'damaged', reason: `The enrollment ${enrollmentFile} cannot be read (${code}).` };
      }
      const enrollment = parse(text);
      if (enrollment !== null) return { kind: 'ok', enrollment };
      const reason = `The enrollment ${enrollmentFile} is damaged. Unenroll this computer and enroll it again.`;
      return { kind: 'damaged', reason };
    },
    saveEnrollment: (enrollment) => write(enrollmentFile, `${JSON.stringify(enrollment, null, 2)}\n`),
    write,
    forget: (file) => rmSync(file, { force: true }),
    removeAll() {
      let names: string[];
      try {
        names = readdirSync(dir);
      } catch {
        return [];
      }
      for (const name of names.filter((name) => OWN.test(name)))
        rmSync(path.join(dir, name), { force: true, recursive: true });
      const left = readdirSync(dir);
      if (left.length === 0) rmdirSync(dir);
      return left.map((name) => path.join(dir, name));
    },
  };
}

function parse(text: string): Enrollment | null {
  try {
    const value = JSON.parse(text) as Partial<Enrollment>;
    const needed = [value.server, value.deviceId, value.signingKey, value.deviceName];
    const isWhole = needed.every((one) => typeof one === 'string') && URL.canParse(value.server ?? '');
    return isWhole ? (value as Enrollment) : null;
  } catch {
    return null;
  }
}

/** Returns the proxy's last port. 0: any, because none is stored or it cannot be read. */
export function lastPort(files: Pick<StateFiles, 'proxyPort'>): number {
  try {
    const port = Number(readFileSync(files.proxyPort, 'utf8'));
    return Number.isInteger(port) && port > 0 && port < 65_536 ? port : 0;
  } catch {
    return 0;
  }
}
