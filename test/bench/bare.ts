/**
 * The yardstick: a node:http server that hands every request to undici.request and pipes the answer back. It reads
 * nothing, checks nothing, records nothing; no gateway on this runtime can do less.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';

const pool = new Pool(process.argv[2] ?? '', { connections: 2_048, headersTimeout: 0, bodyTimeout: 0 });

const server = createServer({ keepAliveTimeout: 75_000 }, (req, res) => {
  const pieces: Buffer[] = [];
  req.on('data', (piece: Buffer) => pieces.push(piece));
  req.on('end', async () => {
    try {
      const answer = await pool.request({
        method: 'POST',
        path: req.url ?? '/',
        headers: {
          'content-type': req.headers['content-type'] ?? 'application/json',
          authorization: req.headers.authorization ?? '',
        },
        body: pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces),
      });
      const length = answer.headers['content-length'];
      res.writeHead(answer.statusCode, {
        'content-type': answer.headers['content-type'] as string,
        ...(length === undefined ? {} : { 'content-length': length as string }),
      });
      if (length === undefined) answer.body.pipe(res);
      else res.end(Buffer.from(await answer.body.arrayBuffer()));
    } catch {
      res.writeHead(502).end();
    }
  });
});

server.listen(0, '127.0.0.1', 8_192, () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
