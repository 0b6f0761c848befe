export interface EnvironmentHint {
  readonly name: string;
  readonly value: string;
  /** The programs that read it. */
  readonly for: string;
}

/**
 * Returns the variables for programs that ignore the computer's stores. `rootPath` contains only our root, `bundlePath`
 * the computer's roots and ours: programs of the second kind use nothing but that file.
 */
export function environmentHints(rootPath: string, bundlePath: string): readonly EnvironmentHint[] {
  return [
    { name: 'NODE_EXTRA_CA_CERTS', value: rootPath, for: 'Node' },
    { name: 'REQUESTS_CA_BUNDLE', value: bundlePath, for: 'Python (requests)' },
    { name: 'SSL_CERT_FILE', value: bundlePath, for: 'Python (httpx, ssl), OpenSSL' },
    { name: 'CURL_CA_BUNDLE', value: bundlePath, for: 'curl' },
    { name: 'GIT_SSL_CAINFO', value: bundlePath, for: 'git' },
  ];
}

/** Returns one file of all roots; ours comes last, so that it is easy to find. */
export function makeBundle(systemRoots: readonly string[], rootPem: string): string {
  return [...systemRoots, rootPem].map((pem) => `${pem.trim()}\n`).join('');
}
