import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';

/** Collects the document from the routes registered after it, and shows it at `/docs`. */
export async function registerOpenApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, { openapi: openApiDocument });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    // Swagger UI sets styles from its script; everything else comes from this origin.
    staticCSP:
      "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'",
    theme: { title: 'Content Security Gateway' },
    uiConfig: {
      layout: 'BaseLayout',
      docExpansion: 'list',
      tryItOutEnabled: true,
      displayRequestDuration: true,
      defaultModelsExpandDepth: -1,
    },
  });
}

/** The head of the OpenAPI file; its paths come from the routes' own schemas. */
export const openApiDocument: NonNullable<FastifyDynamicSwaggerOptions['openapi']> = {
  openapi: '3.1.0',
  info: {
    title: 'Content Security Gateway',
    version: '1.0.0',
    description: [
      'A security gateway for applications that call large language models. Every scan ends in `allow`, `block` or `redact`.',
      '',
      'Send the service key as `X-API-Key`; the model proxy also takes the provider credential as `Authorization: Bearer`.',
      'Every path under `/api/v1` is served under `/api/v1/proxy` as well. Every answer carries `X-Service-Event-ID`,',
      '`X-Service-Decision`, `X-Service-Confidence`, `X-Service-Threat-Type` and `X-Request-ID`.',
      'POST, PUT and PATCH take an `Idempotency-Key`, which replays the first answer for 24 hours.',
    ].join('\n'),
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  components: {
    securitySchemes: {
      serviceKey: {
        type: 'apiKey',
        in: 'header',
        name: 'X-API-Key',
        description: 'Service key, `svc_live_…`',
      },
      session: {
        type: 'apiKey',
        in: 'cookie',
        name: 'session',
        description: 'Set by signing in to the dashboard; changes also need the header `X-CSRF-Token`',
      },
      directoryToken: {
        type: 'http',
        scheme: 'bearer',
        description: 'Of an organization’s directory, `svc_scim_…`',
      },
      providerKey: { type: 'http', scheme: 'bearer', description: "The model provider's own credential" },
    },
  },
  security: [{ serviceKey: [] }],
  tags: [
    { name: 'Scanning', description: 'Scan and redact without calling a model.' },
    { name: 'Scraping', description: 'Fetch pages safely and scan what is hidden in them.' },
    { name: 'Model proxy', description: 'Call a model with its prompt and its answer scanned.' },
    { name: 'Agents', description: 'Tool calls of agents, judged before they run.' },
    { name: 'Code hosting', description: 'Texts of bound repositories, as the platform tells of them.' },
    { name: 'API keys', description: 'Create, rotate and withdraw keys.' },
    { name: 'Projects', description: 'What a key belongs to, and which preset judges it.' },
    { name: 'Account', description: 'Usage and policies.' },
    { name: 'Devices', description: 'Computers that run the desktop agent.' },
    {
      name: 'Approvals',
      description: 'Temporary exceptions and blocked tools: asked for here, decided by somebody else.',
    },
    { name: 'Security testing', description: 'Attacks of the service’s own, tried on the engine.' },
    {
      name: 'Dashboard',
      description: 'What the pages at `/dashboard/` do, in the name of a signed-in person.',
    },
    { name: 'Directory', description: 'SCIM 2.0: an identity provider makes members and takes them away.' },
    { name: 'Service', description: 'What anybody may ask.' },
  ],
};
