import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Site {
  readonly url: string;
  /** Requested paths, in order. */
  readonly fetched: readonly string[];
  close(): Promise<void>;
}

/** Responds to every address with a harmless page. */
export async function startSite(): Promise<Site> {
  const fetched: string[] = [];
  const server = createServer((request, response) => {
    fetched.push(request.url ?? '');
    response.setHeader('content-type', 'text/html');
    response.end(`<!doctype html><title>Page</title><p>${'A page of plain words. '.repeat(40)}</p>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fetched,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
