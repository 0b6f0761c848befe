/** Returns the problem with the Redis at that address as one sentence, without its password. */
export function redisProblem(error: unknown, url: string): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const server = `Redis at ${URL.parse(url)?.host || 'REDIS_URL'}`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `${server} cannot be found: the host name could not be resolved.`;
  if (/^(?:OOM|READONLY|MISCONF|NOPERM|NOREPLICAS)\b/.test(message))
    return `${server} rejects writes: ${message}`;
  if (/^NOAUTH\b/.test(message)) {
    return `${server} requires a password. Set it in REDIS_URL as redis://:password@host:port.`;
  }
  if (/^WRONGPASS\b|invalid password/.test(message)) {
    return `${server} rejects the user name or password of REDIS_URL.`;
  }
  return `${server} cannot be reached: ${code ?? message}.`;
}
