import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { DASHBOARD_AREAS, dashboardTag } from '../routes/dashboard/dashboard-route.ts';

const DEVELOPER_TAGS = [
  { name: 'Scanning', description: 'Scan and redact texts without calling a model.' },
  { name: 'Scraping', description: 'Fetch web pages and scan them for hidden content.' },
  { name: 'Model proxy', description: 'Call a model; the prompt and the response are scanned.' },
  { name: 'Agents', description: 'Validate tool calls of agents before they run.' },
  { name: 'Code hosting', description: 'Scan texts of repositories that are bound to a project.' },
  { name: 'API keys', description: 'Create, rotate and revoke API keys.' },
  { name: 'Projects', description: 'Projects group API keys and set the preset that applies to them.' },
  { name: 'Account', description: 'Usage and active policies.' },
  { name: 'Devices', description: 'Computers that run the desktop agent.' },
  {
    name: 'Approvals',
    description: 'Request temporary exceptions and blocked tools; another person decides.',
  },
  { name: 'Security testing', description: 'Test the engine with attacks and harmless texts.' },
] as const;

const OTHER_TAGS = [
  { name: 'Directory', description: 'SCIM 2.0: an identity provider adds and removes members.' },
  { name: 'Service', description: 'State of the service; requires no credential.' },
] as const;

/** Read by documentation tools that group tags; OpenAPI 3.1 has no field for this. */
const tagGroups: object = {
  'x-tagGroups': [
    { name: 'Developer interface', tags: DEVELOPER_TAGS.map(({ name }) => name) },
    { name: 'Dashboard', tags: Object.keys(DASHBOARD_AREAS).map(dashboardTag) },
    { name: 'Directory and service', tags: OTHER_TAGS.map(({ name }) => name) },
  ],
};

/** The head of the OpenAPI document; its paths are generated from the routes' schemas. */
export const openApiHead: NonNullable<FastifyDynamicSwaggerOptions['openapi']> = {
  openapi: '3.1.0',
  info: {
    title: 'Content Security Gateway',
    version: '1.0.0',
    description: [
      'A security gateway for applications that call large language models. Every scan ends in `allow`, `block` or `redact`.',
      '',
      'Send the API key as `X-API-Key`; the model proxy also accepts the provider credential as `Authorization: Bearer`. Without `X-API-Key` the API key is taken from `Authorization: Bearer`, `api-key` or `x-goog-api-key`.',
      'Every path under `/api/v1` is served under `/api/v1/proxy` as well. Every response carries `X-Service-Event-ID`,',
      '`X-Service-Decision`, `X-Service-Confidence`, `X-Service-Threat-Type` and `X-Request-ID`.',
      'POST, PUT and PATCH accept an `Idempotency-Key`, which replays the first response for 24 hours.',
      '',
      'The sections that begin with *Dashboard* serve the pages at `/dashboard/` and require the session of a signed-in person.',
    ].join('\n'),
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: '/', description: 'The service that serves this document.' }],
  components: {
    securitySchemes: {
      serviceKey: {
        type: 'apiKey',
        in: 'header',
        name: 'X-API-Key',
        description: 'API key, `svc_live_…`',
      },
      organizationToken: {
        type: 'http',
        scheme: 'bearer',
        description: 'An organization token, `svc_admin_…`, with the scope that the route needs.',
      },
      session: {
        type: 'apiKey',
        in: 'cookie',
        name: 'session',
        description:
          'Cookie set when you sign in to the dashboard; changes also need the header `X-CSRF-Token`',
      },
      directoryToken: {
        type: 'http',
        scheme: 'bearer',
        description: 'Token of an organization’s directory, `svc_scim_…`',
      },
      providerKey: { type: 'http', scheme: 'bearer', description: "The model provider's own credential" },
    },
  },
  security: [{ serviceKey: [] }],
  tags: [
    ...DEVELOPER_TAGS,
    ...Object.entries(DASHBOARD_AREAS).map(([area, description]) => ({
      name: dashboardTag(area),
      description,
    })),
    ...OTHER_TAGS,
  ],
  ...tagGroups,
};
