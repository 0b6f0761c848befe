export interface EnvironmentHint {
  readonly name: string;
  readonly value: string;
  /** Which programs read it. */
  readonly for: string;
}

/**
 * Variables for programs that follow no store of the machine. `rootPath` holds our root alone, `bundlePath` the
 * machine's roots and ours: programs of the second kind take nothing else once they are told.
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

/** One file of all roots; ours last, so that a person finds it. */
export function makeBundle(systemRoots: readonly string[], rootPem: string): string {
  return [...systemRoots, rootPem].map((pem) => `${pem.trim()}\n`).join('');
}
