import { CodedError } from '@csg/shared/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A browser on its way to or from a provider gets an error page; programs get the usual envelope. */
export function sendSsoProblem(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const isPage = request.headers.accept?.includes('text/html') ?? false;
  if (!(error instanceof CodedError) || !isPage) throw error;
  return reply.code(error.status).type('text/html; charset=utf-8').send(pageOf(error.message));
}

function pageOf(message: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Single sign-on</title>
<main>
<h1>You are not signed in</h1>
<p>${escapeHtml(message)}</p>
<p><a href="/dashboard/">Back to sign-in</a></p>
</main>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
