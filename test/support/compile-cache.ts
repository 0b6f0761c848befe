import { tmpdir } from 'node:os';
import path from 'node:path';

/** For processes that tests start: the folder of this process, so that they share compiled code. */
export const COMPILE_CACHE: string =
  process.env['NODE_COMPILE_CACHE'] ?? path.join(tmpdir(), 'csg-test-compile-cache');
