/** A real time-stamp authority on loopback: `openssl ts` replies to each request. */
import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { findTool, missingTool } from '../../scripts/system-tools.ts';

export const noOpenssl: string | false = missingTool(['openssl']);
const OPENSSL = findTool('openssl') ?? 'openssl';

export interface TestTimestampAuthority {
  readonly url: string;
  /** Its certificate authority's certificate, PEM, and the file that contains it. */
  readonly certificates: string;
  readonly certificatesFile: string;
  /** Responds in place of the authority. */
  override: RequestListener | null;
  /** Its last response. */
  lastReply: Buffer | null;
  /** Runs openssl in its folder. */
  openssl(...args: string[]): string;
  write(name: string, data: string | Buffer): void;
  close(): Promise<void>;
}

/** `digests`: those that it accepts. */
export async function startTimestampAuthority(digests = 'sha256'): Promise<TestTimestampAuthority> {
  const folder = mkdtempSync(path.join(tmpdir(), 'csg-tsa-'));
  const at = (name: string) => path.join(folder, name);
  const openssl = (...args: string[]) =>
    execFileSync(OPENSSL, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const lines = ['[ authority ]', 'serial = serial', 'signer_digest = sha256', 'default_policy = 1.2.3.4.1'];
  lines.push(`digests = ${digests}`, 'ess_cert_id_alg = sha256', 'ess_cert_id_chain = no');
  writeFileSync(at('authority.cnf'), `${lines.join('\n')}\n`);
  writeFileSync(at('serial'), '01\n');
  writeFileSync(
    at('extensions'),
    'extendedKeyUsage=critical,timeStamping\nkeyUsage=critical,digitalSignature\nbasicConstraints=CA:false\n',
  );
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '30'];
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=Test root');
  openssl('req', ...key.slice(0, 5), '-keyout', 'tsa.key', '-out', 'tsa.csr', '-subj', '/CN=Test authority');
  const issue = ['x509', '-req', '-in', 'tsa.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'];
  openssl(...issue, '-days', '30', '-extfile', 'extensions', '-out', 'tsa.pem');

  const reply = async (query: Buffer): Promise<Buffer> => {
    writeFileSync(at('query'), query);
    const files = ['-queryfile', 'query', '-signer', 'tsa.pem', '-inkey', 'tsa.key', '-out', 'reply'];
    const args = ['ts', '-reply', '-config', 'authority.cnf', '-section', 'authority', ...files];
    await promisify(execFile)(OPENSSL, args, { cwd: folder });
    return readFileSync(at('reply'));
  };
  const server = createServer(async (request, response) => {
    if (authority.override !== null) {
      authority.override(request, response);
      return;
    }
    const chunks = (await request.toArray()) as Buffer[];
    authority.lastReply = await reply(Buffer.concat(chunks));
    response.setHeader('content-type', 'application/timestamp-reply').end(authority.lastReply);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const authority: TestTimestampAuthority = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    certificates: readFileSync(at('ca.pem'), 'utf8'),
    certificatesFile: at('ca.pem'),
    override: null,
    lastReply: null,
    openssl,
    write: (name, data) => writeFileSync(at(name), data),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return authority;
}
