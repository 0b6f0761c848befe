import {
  OUTPUT_HEADER,
  RATE_LIMIT_HEADERS,
  UNSCANNED_HEADER,
  VERDICT_HEADERS,
  WITHHELD_HEADER,
} from '@csg/shared/contract';
import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

const EXPOSED = [
  ...Object.values(VERDICT_HEADERS),
  ...Object.values(RATE_LIMIT_HEADERS),
  UNSCANNED_HEADER,
  WITHHELD_HEADER,
  OUTPUT_HEADER,
  'X-Request-ID',
  'X-Provider-Request-ID',
  'X-Idempotency-Replayed',
  'X-Error-Code',
  'Retry-After',
  'Server-Timing',
];

/** Lets browser scripts of the configured origins call the API and read the verdict; no wildcard, no reflection. */
export async function registerCors(
  app: FastifyInstance,
  isAllowed: (origin: string) => boolean,
): Promise<void> {
  await app.register(cors, {
    origin: (origin, callback) => callback(null, origin !== undefined && isAllowed(origin)),
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: EXPOSED,
    maxAge: 600,
  });
}
