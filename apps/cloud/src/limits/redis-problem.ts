/** Returns the problem with the Redis at that address as one sentence, without its password. */
export function redisProblem(error: unknown, url: string): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const server = `Redis at ${URL.parse(url)?.host || 'REDIS_URL'}`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `${server} cannot be found: no machine has that name.`;
  if (/^(?:OOM|READONLY|MISCONF|NOPERM|NOREPLICAS)\b/.test(message))
    return `${server} refuses writes: ${message}`;
  if (/^NOAUTH\b/.test(message)) {
    return `${server} asks for a password: REDIS_URL takes it as redis://:password@host:port.`;
  }
  if (/^WRONGPASS\b|invalid password/.test(message)) {
    return `${server} refuses the user name or password of REDIS_URL.`;
  }
  return `${server} cannot be reached: ${code ?? message}.`;
}
