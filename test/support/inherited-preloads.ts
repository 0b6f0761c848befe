/** The preloads of `npm test` that speed up module resolution, for programs of this project that a test starts. */
export const inheritedPreloads = (): string[] =>
  process.execArgv.filter((option) =>
    /^--import=file:.*\/scripts\/testing\/quick-imports\.ts\?/.test(option),
  );
