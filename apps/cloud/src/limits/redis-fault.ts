/** What is wrong with the Redis of that address, as one sentence without its password. */
export function redisFault(error: unknown, url: string): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const place = `Redis at ${URL.parse(url)?.host || 'REDIS_URL'}`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `${place} cannot be found: no machine has that name.`;
  if (/^(?:OOM|READONLY|MISCONF|NOPERM|NOREPLICAS)\b/.test(message))
    return `${place} refuses writes: ${message}`;
  if (/^NOAUTH\b/.test(message)) {
    return `${place} asks for a password: REDIS_URL takes it as redis://:password@host:port.`;
  }
  if (/^WRONGPASS\b|invalid password/.test(message)) {
    return `${place} refuses the user name or password of REDIS_URL.`;
  }
  return `${place} cannot be reached: ${code ?? message}.`;
}
