/** What `npm run nightly` runs. docs/nightly.md is made from this table: `npm run golden -- --write`. */
import type { SystemToolName } from '../system-tools.ts';

/** A test file that runs whole at night. */
export interface Suite {
  readonly file: string;
  readonly claim: string;
  /** What `npm test` runs of it. The seed of the commit chooses where there is a choice. */
  readonly part: string;
}

/** A command of the laboratory, `npm run lab -- NAME …`: scripts/lab/NAME.ts. */
export interface LabCommand {
  /** `{seed}` stands for the seed of the run. */
  readonly args: readonly [string, ...string[]];
  readonly claim: string;
  /** The tests of the command in `npm test`. */
  readonly part: string;
}

export interface Group {
  readonly name: string;
  /** Programs of the machine without which the group fails. */
  readonly needs: readonly SystemToolName[];
  readonly suites: readonly Suite[];
  readonly commands: readonly LabCommand[];
}

const suite = (file: string, claim: string, part: string): Suite => ({ file: `test/${file}`, claim, part });

export const GROUPS: readonly Group[] = [
  {
    name: 'attack',
    needs: ['postgres', 'openssl', 'curl', 'pythonOffice'],
    suites: [
      suite(
        'e2e/access-matrix.test.ts',
        'Every route responds as its table says to every state of a key, under both prefixes and with HEAD.',
        'every state at the first prefix; at the other and with HEAD those whose result depends on the route',
      ),
      suite(
        'conformance/tool-call-forms.test.ts',
        'Every call that an official package (OpenAI, Anthropic, Google, Amazon, Vercel) gives to its program, in any form of answer and stream, is read, and a review shows it.',
        'a tenth of the forms; one in 25 of the reviews',
      ),
      suite(
        'shared/providers/reading/signed-blocks.test.ts',
        'A text that a provider signed is in no write-back, in any block of any provider.',
        '20 of 500 random blocks for each place',
      ),
      suite(
        'desktop/inspect/read-request-signed.test.ts',
        'Nor does a device change such a text at any address of any provider.',
        'two of 50 random blocks for each place',
      ),
      suite(
        'shared/streaming/address-reader.test.ts',
        'No masked value is put back into an address, whatever its spelling, length and frame; into prose, mails, lists, code and arguments it is.',
        '500 of 5,000 addresses, 200 of 2,000 honest places',
      ),
      suite(
        'e2e/round-trip-places.test.ts',
        'Through gateway and device, whole, buffered and live: none of 500 generated addresses gets a masked value, all of 200 generated honest places do.',
        '30 of the addresses and 20 of the honest places for each',
      ),
      suite(
        'shared/detection/normalize/escapes.test.ts',
        'Of attacks that are found, at least 97 % stay found in 30 encodings of transports, pages, mails and shells, as user text and as tool result.',
        '250 of the written attacks',
      ),
      suite(
        'e2e/bypass.test.ts',
        'A text that is caught in plain form is caught in every disguise at every entry, except for the known misses.',
        'every disguise at two entries, one in 32 of the other pairs',
      ),
      suite(
        'e2e/canary-matrix.test.ts',
        'Secrets, personal data and instructions in every text field of every provider are found over a socket, in requests, responses and streams.',
        'every endpoint, with one in 30 of its fields and splits, three of short lists; all fields in process in provider-formats.test.ts',
      ),
      suite(
        'e2e/dashboard-attacks.test.ts',
        'Clickjacking, redirects, planted cookies and forbidden members gain nothing from people at the dashboard.',
        'all',
      ),
      suite(
        'e2e/desktop-attackers.test.ts',
        'Another user, a forged enrollment and a copied configuration gain nothing from a device.',
        'two of its three groups',
      ),
      suite(
        'e2e/desktop-bad-input.test.ts',
        'Wrong certificates, configurations, settings, clocks and responses are reported in one sentence by the agent, and the network works.',
        'all, with one of the clocks and settings; one in three commits tries an endless response',
      ),
      suite(
        'e2e/file-disguises.test.ts',
        'What mammoth, pdf.js, python-docx, openpyxl, Python and, where it is installed, LibreOffice show of 200 disguised files is read or reported; of 300 ordinary files nothing is.',
        '25 disguises for the packages and 40 for Python; 49 ordinary files; without LibreOffice',
      ),
      suite(
        'e2e/hostile-bodies.test.ts',
        'No content type, encoding or JSON lets a text pass unread, and no body blocks the event loop.',
        'all',
      ),
      suite(
        'e2e/hostile-connections.test.ts',
        'With 10,000 idle connections others are served, and memory stays bounded.',
        '1,000 connections',
      ),
      suite(
        'e2e/hostile-costs.test.ts',
        'The most expensive legal bodies delay nobody else, and none is allowed unread.',
        'one of the routes, a 25th of the rounds, a third of the flood, on SQLite',
      ),
      suite(
        'e2e/hostile-files.test.ts',
        'Archive bombs and damaged files are read up to their limit, and everything else is served.',
        'one of the bombs, a 50th of the damaged files',
      ),
      suite(
        'e2e/hostile-http.test.ts',
        'Ambiguous, pipelined, endless and broken HTTP is rejected, and nobody else notices.',
        'all',
      ),
      suite(
        'e2e/hostile-routes.test.ts',
        'No hostile body, id or query makes any route fail internally, on both databases.',
        'one of the databases, one in four of the requests',
      ),
      suite(
        'e2e/hostile-streams.test.ts',
        'A secret in a stream is blocked wherever it is split within escapes and characters.',
        'one in three of the places',
      ),
      suite(
        'shared/detection/conversation-context.test.ts',
        'Findings across several texts are the same with their context as in the whole conversation.',
        'a quarter of the random sessions',
      ),
      suite(
        'shared/detection/live-reach.test.ts',
        'Of every sample of a recognizer nothing is released before its end, wherever the stream is cut.',
        'every sample, at a part of the cuts',
      ),
      suite(
        'shared/streaming/text-gates-random.test.ts',
        'What is released of random texts and streams before their end is what the whole allows.',
        'a fifth of the random cases',
      ),
      suite(
        'shared/detection/pii/find-sensitive.test.ts',
        'Every pair of forms of personal data is masked completely, with the same spans everywhere.',
        'a quarter of the pairs, a fifth of the sequences',
      ),
      suite(
        'shared/detection/workspace-nested.test.ts',
        'A scan that another interrupts at any step has the same findings.',
        'a fifth of the steps',
      ),
      suite(
        'shared/detection/withheld-ranges.test.ts',
        'A planted order goes as a whole, and nothing outside of its unit.',
        '400 of 38,400 planted orders',
      ),
      suite(
        'shared/streaming/live-release.test.ts',
        'Streamed text that is released early contains no byte of blocked content.',
        'a fifth of the splits',
      ),
    ],
    commands: [
      {
        args: ['fuzz', '--minutes', '10', '--seed', '{seed}'],
        claim:
          'The engine is shown every text that a provider’s own parser finds in random bodies and streams.',
        part: 'test/conformance/random-bodies.test.ts: 2,000 cases',
      },
      {
        args: ['hostile-desktop', '--rounds', '20', '--seed', '{seed}'],
        claim: 'No malformed request ends the proxy process of the agent.',
        part: 'test/desktop/proxy/proxy-process-odd-requests.test.ts, one round',
      },
      {
        args: ['turns', '--kinds', '3', '--seed', '{seed}'],
        claim:
          'No heavy body of any route takes more than 30 ms of CPU in one turn of the event loop, garbage collection apart, and beside such bodies 99 of 100 small requests of another organization wait at most 150 ms longer than alone.',
        part: 'scripts/lab/test/turns.test.ts: some of the bodies, and a neighbour beside them',
      },
    ],
  },
  {
    name: 'volume',
    needs: ['postgres', 'redis', 'curl', 'compiler'],
    suites: [
      suite(
        'conformance/storage-costs.test.ts',
        'Every statement of storage visits at most 20 times the rows that it returns or is limited to, or is reviewed, with a million rows in every table, on both databases.',
        '10,000 rows in every table',
      ),
      suite(
        'cloud/storage/migrate-volume.test.ts',
        'A database of the last revision with 200,000 events is upgraded with every row, on both databases, and its backup restores it.',
        '20,000 events',
      ),
      suite(
        'cloud/flows/decision/evaluate-agreement.test.ts',
        'Body, headers, event, audit row, usage, metric and webhook tell one decision, for every route, deciding step, engine and fail mode, on both databases.',
        'all on SQLite, fifteen cases on PostgreSQL',
      ),
      suite(
        'conformance/storage-processes.test.ts',
        'Several processes on one database fork no chain, exceed no limit, start no work twice, and lose nothing when killed.',
        'all, with two of the four kills',
      ),
      suite(
        'e2e/deletion-crash.test.ts',
        'An organization is complete or gone, whenever its deletion is killed, on both databases.',
        'two kills on one of the databases',
      ),
      suite(
        'e2e/desktop-exactly-once.test.ts',
        'Each event of a device is recorded once, whatever is lost on the way.',
        'two losses of three',
      ),
      suite(
        'e2e/desktop-faults.test.ts',
        'Whatever process of the agent or the service is killed or hangs, the network works and the status is correct.',
        'all',
      ),
      suite(
        'e2e/faults-under-load.test.ts',
        'Everything that the service depends on fails in turn, others are served, and the records are complete.',
        'a third of the faults; the full disk and the resolver in every other commit',
      ),
      suite(
        'e2e/instances.test.ts',
        'Several instances on one PostgreSQL and one Redis count, decide and deliver as one.',
        'a quarter of the requests, two instances',
      ),
      suite(
        'e2e/load-shedding.test.ts',
        'Beyond capacity each request is served or rejected with Retry-After, and the records agree.',
        'half of the load, without the comparison with a service that has no limit',
      ),
      suite(
        'e2e/lost-stores.test.ts',
        'Redis and PostgreSQL are lost under load, and every response is on record once.',
        'one of the ways to lose Redis, and the loss of PostgreSQL',
      ),
      suite(
        'e2e/master-key.test.ts',
        'The master key is changed while the service runs, and a killed change resumes, on both databases.',
        'one of the databases',
      ),
      suite(
        'e2e/routes-on-postgres.test.ts',
        'Every test of a route passes on PostgreSQL.',
        'a tenth of the files',
      ),
      suite(
        'e2e/truth-at-volume.test.ts',
        'Numbers of pages and exports equal counts kept while recording.',
        '4,000 events of 40,000',
      ),
      suite(
        'e2e/webhook-deliveries.test.ts',
        'No delivery is lost or doubled, with two gateways and with kills, on both databases.',
        'two kills on one of the databases',
      ),
    ],
    commands: [
      {
        args: ['crash', '--rounds', '120', '--seed', '{seed}'],
        claim: 'The service and the agent are killed at every named point, and lose or double nothing.',
        part: 'test/e2e/crash.test.ts: one point of each flow, on one of the databases',
      },
      {
        args: ['soak', '--minutes', '10', '--seed', '{seed}'],
        claim:
          'Under steady load with a trouble a minute no answer and no count is off, and memory does not grow.',
        part: 'scripts/lab/test/soak.test.ts: nine seconds',
      },
    ],
  },
  {
    name: 'clients',
    needs: ['browser', 'pageBrowser', 'sessionBus', 'gsettings', 'keyring', 'python', 'java', 'curl', 'git'],
    suites: [
      suite(
        'conformance/trust-handshakes.test.ts',
        'Real clients trust the device’s root only for the hosts that it covers, while a store contains it.',
        'one of the three kinds of program',
      ),
      suite(
        'conformance/trust-stores.test.ts',
        'Every trust store of a computer takes the root, keeps it once and gives it back.',
        'all but the real tool of Java, which one in three commits uses',
      ),
      suite(
        'e2e/dashboard-pages.test.ts',
        'Every page of the dashboard is accessible, fits and logs nothing, wide and on a phone, light and dark.',
        'every page wide, eight of them on a phone',
      ),
      suite(
        'e2e/deployment.test.ts',
        'The files for containers, Kubernetes and nginx work as they are.',
        'all but the packages of the image, which one in four commits installs',
      ),
      suite(
        'e2e/desktop-agent-machine.test.ts',
        'The agent directs a computer to its proxy and always restores the setting.',
        'all',
      ),
      suite(
        'e2e/desktop-demo.test.ts',
        'The agent’s story runs every step as described.',
        'a step that differs; the story in one of four commits',
      ),
      suite(
        'e2e/desktop-full-disk.test.ts',
        'On a full disk the agent protects, says so, and makes no change that it could not undo.',
        'one of its two tests',
      ),
      suite(
        'e2e/desktop-keychain.test.ts',
        'Secrets are in the keychain where there is one, else in files of the owner.',
        'two of its four desktops',
      ),
      suite(
        'e2e/recipe-provider.test.ts',
        'A provider that is added by the recipe passes every conformance test.',
        'the steps of the page, and the conformance tests of providers',
      ),
      suite(
        'scripts/desktop/package.test.ts',
        'The package of the tray app contains it, with an agent that runs on its own.',
        'the configuration and its files; the built app and agent in other tests',
      ),
      suite(
        'e2e/recipes.test.ts',
        'The changes of every recipe can be made, compile, and pass the tests.',
        'the steps of every page, and two of the checks',
      ),
    ],
    commands: [
      {
        args: ['clients'],
        claim: 'Client packages of the providers and agent frameworks work through the gateway.',
        part: 'scripts/lab/test/clients.test.ts; the providers’ own packages in the tests of the routes',
      },
      {
        args: ['clients', '--compare', '--install'],
        claim:
          'Coding agents, in their newest and oldest versions, do sixteen tasks through the gateway and the agent’s proxy as without them: the provider receives the bytes that the client sent, and what differs is explained in the table of the comparison.',
        part: 'scripts/lab/test/clients/compare/compare.test.ts, with an agent of twenty lines',
      },
      {
        args: ['desktop-clients'],
        claim: 'Client packages of six languages work through the agent’s proxy.',
        part: 'test/desktop/exchange/run-exchange-node-clients.test.ts',
      },
    ],
  },
  {
    name: 'bench',
    needs: ['pageBrowser'],
    suites: [
      suite(
        'e2e/dashboard-budget.test.ts',
        'On a slow computer every page of a large company’s dashboard can be used within three seconds.',
        'four pages, by the processor time of the page over a quarter of the events',
      ),
    ],
    commands: [
      {
        args: ['revisions', '--limit', '1.1'],
        claim:
          'A request takes at most a tenth more CPU than in the last released revision; before the first release, in that of the day before.',
        part: 'scripts/lab/test/bench/revisions',
      },
    ],
  },
  {
    name: 'mutation',
    needs: ['postgres', 'redis'],
    suites: [],
    commands: [
      {
        args: ['mutate', '--seed', '{seed}'],
        claim: 'The tests notice small changes of the code.',
        part: 'scripts/lab/test/mutation',
      },
    ],
  },
];
