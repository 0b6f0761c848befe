// A policy endpoint: blocks a word of yours, masks another. Run it, enter its address on the project.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const secret = process.env.WEBHOOK_SECRET; // of the project; without one bodies are not signed

function isSigned(body, signature = '') {
  if (secret === undefined) return true;
  const due = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  const given = Buffer.from(signature);
  return given.length === due.length && timingSafeEqual(given, due);
}

function verdictOn({ content }) {
  if (/project heron/i.test(content)) return { verdict: 'block', reason: 'Project Heron stays inside.' };
  const redacted_content = content.replaceAll('Anna Ek', '[EMPLOYEE]');
  return redacted_content === content ? { verdict: 'allow' } : { verdict: 'redact', redacted_content };
}

const server = createServer(async (request, response) => {
  const chunks = await request.toArray();
  const body = Buffer.concat(chunks);
  if (!isSigned(body, request.headers['x-service-signature'])) return response.writeHead(401).end();
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(verdictOn(JSON.parse(body.toString()))));
});
server.listen(Number(process.env.PORT ?? 9000), '127.0.0.1', () => {
  console.log(`policy endpoint at http://127.0.0.1:${server.address().port}`);
});
