import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A site whose only page is the text. */
export async function startSite(): Promise<{ url: string; says(text: string): void; close(): void }> {
  let shown = '';
  const server: Server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end(`<p>${shown}</p>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    says: (text) => {
      shown = text;
    },
    close: () => server.close(),
  };
}
