/** Runs the app's real entry module under the stand-in for Electron, and prints as JSON what a user would see. */
import { registerHooks } from 'node:module';
import { waitForNextPoll } from '../until.ts';
import { standInElectron } from './stand-in-electron.ts';

const electron = await standInElectron(null);
Object.assign(globalThis, { standInParts: electron.parts });
Object.assign(process, { resourcesPath: '/resources' });
const names = Object.keys(electron.parts).join(', ');
const url = `data:text/javascript,${encodeURIComponent(`export const { ${names} } = globalThis.standInParts;`)}`;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url, format: 'module', shortCircuit: true } : next(specifier, context),
});

// Electron becomes ready only after the entry module was evaluated.
await import('../../../apps/desktop/src/main/main.ts');
electron.entryEvaluated();
while (electron.opened.length + electron.errors.length === 0) await waitForNextPoll();
electron.parts.app.quit();
await electron.quit;
const { opened, errors, tray } = electron;
process.stdout.write(`${JSON.stringify({ opened, errors, tray: tray.toolTip })}\n`);
process.exit(0);
