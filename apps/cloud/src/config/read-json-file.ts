import { readFileSync } from 'node:fs';

/** Reads the JSON file named by the environment variable `env`; throws one sentence for the operator. */
export function readJsonFile(env: string, file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`${env} names ${file}, which cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${env} names ${file}, which is not JSON: ${(error as Error).message}.`);
  }
}
