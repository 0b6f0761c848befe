/**
 * Runs the test files that are its arguments in one process. Most of them take less time than what they load, which is
 * then loaded once.
 */
import { pathToFileURL } from 'node:url';

for (const file of process.argv.slice(2)) await import(pathToFileURL(file).href);
