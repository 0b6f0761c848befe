import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { createServer } from 'node:tls';
import { startCompanyProxy } from '../../../../test/support/company-proxy.ts';
import { newAuthority } from '../../../../test/support/desktop/certificates.ts';
import { openTls } from '../../../../test/support/desktop/clients.ts';
import { AI_HOSTS, startTestStack, testPolicy } from '../../../../test/support/desktop/test-stack.ts';

interface Device {
  /** Opens a connection to a provider as a program of the computer does. */
  connect(host: string): Promise<Duplex>;
  close(): Promise<void>;
}

const HOSTS = [...AI_HOSTS, 'generativelanguage.googleapis.com'];

/** The agent's proxy; the providers behind it are the stand-in, behind TLS. */
export async function startDevice(providerPort: number): Promise<Device> {
  const authority = await newAuthority(HOSTS);
  const shell = createServer(
    {
      ALPNProtocols: ['http/1.1'],
      SNICallback: (name, done) =>
        void authority.issuer
          .leafFor(name, Date.now())
          .then(
            async ({ chain, key }) =>
              done(null, (await import('node:tls')).createSecureContext({ cert: chain, key })),
            done,
          ),
    },
    (socket) => {
      const inner = connect(providerPort, '127.0.0.1');
      socket.on('error', () => inner.destroy());
      inner.on('error', () => socket.destroy());
      socket.pipe(inner).pipe(socket);
    },
  ).listen(0, '127.0.0.1');
  await once(shell, 'listening');
  const { port } = shell.address() as AddressInfo;
  const company = await startCompanyProxy({ leadTo: () => port });
  const stack = await startTestStack({
    hosts: HOSTS,
    config: {
      ...{ policy: testPolicy({ hosts: HOSTS }), upstreamProxy: company.url },
      upstreamCa: [authority.root.pem],
    },
  });
  return {
    connect: (host) => openTls({ proxyPort: stack.proxy.port, ca: stack.device.root.pem, host }),
    async close() {
      await stack.close();
      await company.close();
      shell.close();
    },
  };
}
