/**
 * Prints the new form of a command whose own npm script ended with 0.2.0. This file and the npm scripts that call it go
 * with 0.3.0.
 */

/** @type {Readonly<Record<string, string>>} */
const NEW_FORMS = {
  'eval:flows': 'lab -- eval-flows',
  replay: 'lab -- replay',
  crash: 'lab -- crash',
  hostile: 'lab -- hostile',
  'hostile:desktop': 'lab -- hostile-desktop',
  coverage: 'lab -- coverage',
  mutate: 'lab -- mutate',
  soak: 'lab -- soak',
  'audit-gateway': 'lab -- audit-gateway',
  clients: 'lab -- clients',
  'clients:desktop': 'lab -- desktop-clients',
  sbom: 'package -- sbom',
  'pack:client': 'package -- client',
  client: 'golden -- --write',
  format: 'check -- --fix',
};

const [name = '', ...args] = process.argv.slice(2);
console.error(`npm run ${name} is now: npm run ${[NEW_FORMS[name], ...args].join(' ')}`);
process.exitCode = 1;
