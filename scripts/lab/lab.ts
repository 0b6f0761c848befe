/** `npm run lab [-- NAME [options]]`: runs a command of the laboratory, or lists them. The README says more of each. */
import path from 'node:path';
import { runScript } from '../bootstrap/run-script.mjs';

/** By name, which is also that of the file. */
export const COMMANDS: Readonly<Record<string, string>> = {
  'train-detector': 'Train the two models of the detector',
  'train-ngrams': 'Train the n-gram models of the second reading, and the weights of both',
  'train-guarded': 'Train the model for guarded system prompts',
  'train-structure': 'Train the reading of the structure of planted orders',
  'check-weights':
    'Compare the features that the code extracts with those that the weights were trained with',
  eval: 'Measure the detector on labeled texts, honest traffic or single texts',
  'eval-flows': 'Measure flow control on recorded sessions and planted instructions',
  replay: 'Send recorded sessions through a gateway, turn by turn, and count what would have disturbed them',
  parity: 'Compare what the gateway and a device forward of recorded sessions',
  planted: 'Plant orders into honest tool results, and count what would be forwarded',
  bench: 'Measure the gateway beside a bare proxy and other gateways',
  revisions: 'Compare the CPU per request of revisions, or of this one with the last released one',
  'heavy-reads': 'Measure guard calls while people export and search',
  fuzz: 'Generate bodies and streams; every text in them must be inspected',
  hostile: 'Run all suites that attack a running service',
  turns: 'Measure the longest turn of the event loop for heavy bodies of every route',
  'hostile-desktop': "Send malformed requests to the agent's proxy",
  crash: 'Kill the service and the agent at named points, and compare the records',
  soak: 'Apply steady load with a failure each minute',
  clients: 'Send client packages, or coding agents, through the gateway',
  'desktop-clients': "Send programs through the desktop agent's proxy",
  'audit-gateway': 'Measure which texts of a body a gateway inspects, this one or another',
  coverage: 'List source files of which the tests run too little',
  walk: 'Count the folders through which one request or scan goes, and how often back',
  mutate: 'Change the code in small ways, and count the changes that no test notices',
  test: "Run the laboratory's own tests",
};

const OWN_TESTS = 'scripts/lab/test';

/** Returns the program of a command and its arguments. */
function programOf(name: string, args: readonly string[]): [file: string, args: string[]] {
  if (name !== 'test') return [path.join(import.meta.dirname, `${name}.ts`), [...args]];
  const hasPaths = args.some((arg) => !arg.startsWith('-'));
  return [path.join(import.meta.dirname, '../test.ts'), hasPaths ? [...args] : [OWN_TESTS, ...args]];
}

function listCommands(): string {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length)) + 2;
  const rows = Object.entries(COMMANDS).map(([name, about]) => `  ${name.padEnd(width)}${about}`);
  return `Usage: npm run lab -- NAME [options]\n\n${rows.join('\n')}\n\nnpm run lab -- NAME --help lists the options.`;
}

if (import.meta.main) {
  const [name = '--help', ...args] = process.argv.slice(2);
  if (Object.hasOwn(COMMANDS, name)) {
    await runScript(process.execPath, [], ...programOf(name, args), process.env);
  } else if (name === '--help' || name === '-h') {
    console.log(listCommands());
  } else {
    console.error(`The laboratory has no command "${name}"; npm run lab lists them.`);
    process.exitCode = 2;
  }
}
