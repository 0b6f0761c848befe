/**
 * The preloads of `npm test` that speed up module resolution, for programs of this project that a test starts. A program
 * whose packages a test changes has to run from its sources: the build has packages of its own.
 */
export const inheritedPreloads = (runsSources = false): string[] =>
  process.execArgv
    .filter((option) => /^--import=file:.*\/scripts\/testing\/quick-imports\.ts\?/.test(option))
    .map((option) => (runsSources ? option.replace(/&programs=[^&]*/, '') : option));
