/**
 * The yardstick: a node:http server that hands every request to undici.request and streams the answer back. It reads
 * nothing, checks nothing, records nothing; a gateway on this runtime can hardly do less.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';

const pool = new Pool(process.argv[2] ?? '', { connections: 4_096, headersTimeout: 0, bodyTimeout: 0 });

const server = createServer({ keepAliveTimeout: 75_000 }, async (req, res) => {
  try {
    const { host: _host, connection: _, ...headers } = req.headers;
    const answer = await pool.request({ method: 'POST', path: req.url ?? '/', headers, body: req });
    const { connection: _c, 'keep-alive': _k, 'transfer-encoding': _t, ...shown } = answer.headers;
    res.writeHead(answer.statusCode, shown as Record<string, string>);
    answer.body.on('error', () => res.destroy()).pipe(res);
  } catch {
    res.destroy();
  }
});

server.listen(0, '127.0.0.1', 8_192, () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
