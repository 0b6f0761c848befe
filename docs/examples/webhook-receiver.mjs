// A receiver of webhooks: checks the signature, forgets repetitions, answers at once. Run it, enter its address on the project.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const secret = process.env.WEBHOOK_SECRET; // of the project; without one bodies are not signed
const seen = new Set(); // a database in earnest

function isSigned(body, signature = '') {
  if (secret === undefined) return true;
  const due = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  const given = Buffer.from(signature);
  return given.length === due.length && timingSafeEqual(given, due);
}

const server = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray());
  const { headers } = request;
  // While a secret is being rotated, the one before signs in a header of its own.
  const signatures = [headers['x-service-signature'], headers['x-service-signature-previous']];
  if (!signatures.some((signature) => isSigned(body, signature))) return response.writeHead(401).end();
  response.writeHead(204).end();
  const { event, data } = JSON.parse(body);
  const name = data.event_id ?? headers['x-service-delivery'];
  if (seen.has(name)) return;
  seen.add(name);
  console.log(`${event} ${name}: ${data.reason ?? JSON.stringify(data)}`);
});
server.listen(Number(process.env.PORT ?? 9001), '127.0.0.1', () => {
  console.log(`webhook receiver at http://127.0.0.1:${server.address().port}`);
});
