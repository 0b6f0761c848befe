/**
 * The only definition of which module may import which. ARCHITECTURE.md shows this table and scripts/check-modules.ts
 * checks every source file against it. A module may import modules of a lower number in its own package and itself;
 * never of the same or a higher number. Of `shared`, only the entry points.
 */
export type PackageName = 'shared' | 'cloud' | 'dashboard' | 'desktop';

export interface Module {
  readonly name: string;
  readonly package: PackageName;
  readonly level: number;
  /** Its purpose, as a clause that can follow "because". */
  readonly about: string;
  /** Files or folders, relative to the package's source folder. Default: the folder with the module's name. */
  readonly paths?: readonly string[];
  /** No `node:` import, no clock, no randomness, no logger: time and ids are arguments. */
  readonly isPure?: true;
  /** Pure files in a module that is not pure. */
  readonly pureFiles?: readonly string[];
  /** Globals that single files of a pure module may use: their results depend on the arguments alone. */
  readonly alsoUses?: readonly { readonly file: string; readonly name: string }[];
  /** Modules of which only types may be imported; their values are injected. */
  readonly typesOnly?: readonly string[];
}

export const SOURCE_FOLDERS: Readonly<Record<PackageName, string>> = {
  shared: 'shared',
  cloud: 'apps/cloud/src',
  dashboard: 'apps/cloud/dashboard/src',
  desktop: 'apps/desktop/src',
};

export const MODULES: readonly Module[] = [
  { name: 'vocabulary', package: 'shared', level: 0, isPure: true, about: 'it only contains names' },
  {
    name: 'contract',
    package: 'shared',
    level: 1,
    isPure: true,
    about: 'it only defines the formats at network boundaries',
  },
  { name: 'text', package: 'shared', level: 0, isPure: true, about: 'it handles texts and has no policy' },
  {
    name: 'theme',
    package: 'shared',
    level: 0,
    isPure: true,
    about: 'it contains colors and fonts as data, and depends on no component library',
  },
  {
    name: 'providers',
    package: 'shared',
    level: 2,
    isPure: true,
    about: 'it reads and writes provider bodies and evaluates nothing',
  },
  {
    name: 'detection',
    package: 'shared',
    level: 2,
    isPure: true,
    // Writes all codes of a text in one call, which takes a twentieth of the time of single calls.
    alsoUses: [{ file: 'read/codes.ts', name: 'Buffer' }],
    typesOnly: ['contract'],
    about: 'it evaluates texts, independent of providers, and loads no schema library',
  },
  {
    name: 'flow-control',
    package: 'shared',
    level: 3,
    isPure: true,
    about: 'it only traces the origin of values in tool calls',
  },
  {
    name: 'release',
    package: 'shared',
    level: 3,
    isPure: true,
    // Streams are split and joined as bytes.
    alsoUses: ['framing.ts', 'live-bytes.ts', 'live-release.ts', 'restore-frames.ts'].map((file) => ({
      file,
      name: 'Buffer',
    })),
    about: 'it only decides which parts of a response are released, and restores masked values in them',
  },
  {
    name: 'client',
    package: 'shared',
    level: 2,
    about: 'it only calls the service, for programs of any kind',
  },

  { name: 'config', package: 'cloud', level: 1, about: 'it only turns the environment into settings' },
  {
    name: 'outbound',
    package: 'cloud',
    level: 1,
    about: 'it only guards the addresses that others connect to',
  },
  { name: 'wire', package: 'cloud', level: 1, about: 'it writes records in the shapes of the contract' },
  { name: 'guide', package: 'cloud', level: 1, about: 'it only turns the documentation into pages' },
  { name: 'fairness', package: 'cloud', level: 1, about: 'it only schedules requests' },
  { name: 'storage', package: 'cloud', level: 2, about: 'it stores records and decides nothing' },
  { name: 'upstream', package: 'cloud', level: 2, about: 'it calls model providers and decides nothing' },
  { name: 'limits', package: 'cloud', level: 2, about: 'it only counts, independent of requests' },
  {
    name: 'detection-workers',
    package: 'cloud',
    level: 2,
    about: 'it runs the engine of shared/detection on threads and decides nothing',
  },
  { name: 'files', package: 'cloud', level: 2, about: 'it extracts texts from files and decides nothing' },
  { name: 'scrape', package: 'cloud', level: 2, about: 'it fetches pages and decides nothing' },
  {
    name: 'security-testing',
    package: 'cloud',
    level: 2,
    isPure: true,
    about: 'it only contains the test texts for the engine',
  },
  {
    name: 'single-sign-on',
    package: 'cloud',
    level: 2,
    about: 'it connects to identity providers and decides nothing',
  },
  { name: 'timestamps', package: 'cloud', level: 2, about: 'it only calls a time-stamp authority' },
  { name: 'email', package: 'cloud', level: 2, about: 'it sends email and decides nothing' },
  {
    name: 'access',
    package: 'cloud',
    level: 3,
    about: 'it only identifies the caller and the permissions of their role and plan',
    typesOnly: ['storage'],
  },
  {
    name: 'webhooks',
    package: 'cloud',
    level: 4,
    about: 'it exchanges signed requests with customer endpoints and scans nothing',
    paths: ['webhooks/outbound', 'webhooks/policy-endpoint', 'webhooks/sign-body.ts'],
    typesOnly: ['storage'],
  },
  {
    name: 'telemetry',
    package: 'cloud',
    level: 5,
    about: 'it reports to a collector and decides nothing',
    typesOnly: ['storage', 'upstream', 'webhooks'],
  },
  {
    name: 'flows',
    package: 'cloud',
    level: 5,
    about: 'it contains the steps of requests, without HTTP',
    typesOnly: ['storage', 'limits', 'detection-workers'],
  },
  {
    name: 'code-hosting',
    package: 'cloud',
    level: 6,
    about: 'it passes the deliveries of code hosts to flows',
    paths: ['webhooks/code-hosting'],
    typesOnly: ['storage'],
  },
  {
    name: 'plugins',
    package: 'cloud',
    level: 6,
    about: 'it prepares and finishes every request, whatever its route',
  },
  { name: 'mcp', package: 'cloud', level: 6, about: 'it is a client of the service, for assistants' },
  { name: 'routes', package: 'cloud', level: 7, about: 'it is the HTTP edge, one file per resource' },
  { name: 'jobs', package: 'cloud', level: 7, about: 'it only calls flows on a schedule' },
  { name: 'app', package: 'cloud', level: 8, about: 'it is the wiring', paths: ['app.ts', 'openapi'] },
  {
    name: 'edge',
    package: 'cloud',
    level: 9,
    about: 'it is the process edge: environment, arguments, signals',
    paths: [
      'main.ts',
      'cli.ts',
      'serve.ts',
      'run-gateway.ts',
      'run-workers.ts',
      'drain-on-signal.ts',
      'gateway',
      'run-process.ts',
      'welcome-text.ts',
      'commands',
    ],
  },

  { name: 'data', package: 'dashboard', level: 0, about: 'it calls the service and renders nothing' },
  { name: 'components', package: 'dashboard', level: 1, about: 'pages are composed of it' },
  { name: 'pages', package: 'dashboard', level: 2, about: 'it is one folder per page' },
  {
    name: 'app',
    package: 'dashboard',
    level: 3,
    about: 'it is the frame around the pages',
    paths: ['app', 'main.tsx'],
  },

  {
    name: 'inspect',
    package: 'desktop',
    level: 1,
    isPure: true,
    // A digest, which depends on its input alone.
    alsoUses: [{ file: 'session-id-of.ts', name: 'crypto' }],
    about: 'it only chooses between tunnel, open, pass and block',
  },
  {
    name: 'cloud-client',
    package: 'desktop',
    level: 2,
    about: 'it only calls the service and caches its verdicts',
  },
  { name: 'trust', package: 'desktop', level: 2, about: 'it only manages certificates' },
  {
    name: 'network',
    package: 'desktop',
    level: 2,
    about: 'it only changes the proxy setting and restores it',
  },
  { name: 'vault', package: 'desktop', level: 2, about: 'it only stores the credential' },
  { name: 'journal', package: 'desktop', level: 2, about: 'it only stores unsent decisions' },
  {
    name: 'upstream',
    package: 'desktop',
    level: 2,
    about: 'it only connects to providers, directly or through the company proxy',
  },
  {
    name: 'exchange',
    package: 'desktop',
    level: 3,
    about: 'it handles one request until the end of its response and decides nothing about content',
    pureFiles: [
      'events.ts',
      'exchange-state.ts',
      'held-bytes.ts',
      'machine.ts',
      'request-side.ts',
      'response-side.ts',
      'websocket-machine.ts',
    ],
  },
  { name: 'proxy', package: 'desktop', level: 4, about: 'it is a process of its own' },
  {
    name: 'supervisor',
    package: 'desktop',
    level: 3,
    about: 'it only keeps the proxy alive',
    pureFiles: ['machine.ts'],
  },
  {
    name: 'agent/settings',
    package: 'desktop',
    level: 3,
    about: 'it only reads the environment and manages the files of the agent',
  },
  {
    name: 'agent/control',
    package: 'desktop',
    level: 3,
    about: 'it only connects the agent to its window and its command line',
  },
  {
    name: 'agent/autostart',
    package: 'desktop',
    level: 6,
    about: 'it only registers the agent with service managers',
  },
  {
    name: 'agent/host',
    package: 'desktop',
    level: 5,
    about: 'it only opens the resources of this computer that the agent uses',
  },
  {
    name: 'agent/service',
    package: 'desktop',
    level: 6,
    about: 'it exchanges configuration, events and requests with the service and protects nothing',
  },
  {
    name: 'agent/protection',
    package: 'desktop',
    level: 6,
    about: 'it directs apps to a working proxy, independent of the service',
  },
  {
    name: 'agent/status',
    package: 'desktop',
    level: 7,
    about: 'it only reports the state of the agent and changes nothing',
  },
  {
    name: 'agent/enrollment',
    package: 'desktop',
    level: 7,
    about: 'it only enrolls this computer and unenrolls it',
  },
  {
    name: 'agent/commands',
    package: 'desktop',
    level: 8,
    about: 'it turns command lines into calls and results into sentences',
  },
  {
    name: 'agent',
    package: 'desktop',
    level: 9,
    about: 'it is the program without a window',
    paths: ['agent/cli.ts', 'agent/run-agent.ts', 'agent/create-active-agent.ts'],
  },
  {
    name: 'bridge',
    package: 'desktop',
    level: 10,
    isPure: true,
    about: 'it only defines the requests of the window, and the texts that users read',
    typesOnly: ['agent/control'],
  },
  { name: 'main', package: 'desktop', level: 11, about: 'it is the process edge with a window' },
  { name: 'preload', package: 'desktop', level: 11, about: 'it is the bridge into the window' },
  {
    name: 'window',
    package: 'desktop',
    level: 11,
    about: 'it is a page that uses only the bridge',
    typesOnly: ['agent/control'],
  },
];

/** Modules that may read `process.env`: all others take settings as arguments. */
export const ENV_MODULES = [
  'cloud/config',
  'cloud/edge',
  'desktop/main',
  'desktop/agent',
  'desktop/agent/commands',
];

/** Globals that a pure module must not use. `Date` and `Math` are allowed except for these members. */
export const IMPURE_GLOBALS = [
  'process',
  'Buffer',
  'console',
  'performance',
  'crypto',
  'globalThis',
  'global',
  'require',
  'fetch',
  'WebSocket',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'navigator',
  'window',
  'document',
  'localStorage',
];
export const IMPURE_MEMBERS = ['Date.now', 'Math.random'];

/** Returns the import specifier of a `shared` module. The client is a separate package, for external programs too. */
export function entryPointOf({ name }: Module): string {
  return name === 'client' ? '@csg/client' : `@csg/shared/${name}`;
}

/** No `node:` import, no clock, no randomness, no logger. */
export function isPure(module: Module, file: string): boolean {
  return (
    module.isPure === true ||
    (module.pureFiles ?? []).some((name) => file.endsWith(`/${module.name}/${name}`))
  );
}

export function moduleId(module: Module): string {
  return `${module.package}/${module.name}`;
}

/** Returns the module of a file, by its path from the project's root; undefined outside the packages' sources. */
export function moduleOf(file: string): Module | undefined {
  return MODULES.find((module) =>
    (module.paths ?? [module.name]).some((part) => {
      const place = `${SOURCE_FOLDERS[module.package]}/${part}`;
      return file === place || file.startsWith(`${place}/`);
    }),
  );
}
