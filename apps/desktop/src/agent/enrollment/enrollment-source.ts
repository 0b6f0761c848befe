import { readFileSync } from 'node:fs';
import { AgentError, readPac, readProxy } from '../settings/read-settings.ts';
import type { EnrollOptions } from './enroll.ts';

/** Enrollment options of the command line; one of three kinds. */
export interface EnrollmentSource {
  readonly server?: string;
  readonly token?: string;
  readonly name?: string;
  /** `csg://enroll?server=…&token=…` */
  readonly link?: string;
  /** A file that device management placed: `{"server", "token", "name"?, "upstream_proxy"?, "upstream_pac"?}`. */
  readonly managed?: string;
}

/** Reads the options; the command line takes precedence. Throws AgentError if they are missing or incomplete. */
export function readEnrollmentSource(source: EnrollmentSource): EnrollOptions {
  const managed = fromFile(source.managed);
  const found = { ...fromLink(source.link), ...managed };
  const server = source.server ?? found['server'];
  const token = source.token ?? found['token'];
  const name = source.name ?? found['name'];
  if (server === undefined || token === undefined) {
    throw new AgentError(
      'Enter --server URL and --token-stdin (or --token TOKEN), or --link, or --managed FILE.',
    );
  }
  // Never from a link, because anyone can send one.
  const upstreamProxy = readProxy('upstream_proxy', managed['upstream_proxy']);
  const upstreamPac = readPac('upstream_pac', managed['upstream_pac']);
  if (upstreamProxy !== null && new URL(upstreamProxy).password !== '') {
    throw new AgentError('upstream_proxy must not contain a password. Set AGENT_UPSTREAM_PROXY instead.');
  }
  return {
    server,
    token,
    ...(name !== undefined && { name }),
    ...(upstreamProxy !== null && { upstreamProxy }),
    ...(upstreamPac !== null && { upstreamPac }),
  };
}

const MAX_INPUT = 4_096;

/**
 * Adds the token or link in the first line of `input`. Unlike the command line, it cannot be read by other programs of
 * this computer.
 */
export async function withTokenFrom(
  input: AsyncIterable<string | Uint8Array>,
  source: EnrollmentSource,
): Promise<EnrollmentSource> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of input) {
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    if (text.includes('\n') || text.length > MAX_INPUT) break;
  }
  const line = text.split('\n', 1)[0]!.trim();
  if (line === '') throw new AgentError('Standard input is empty. Send a token or a link in one line.');
  return line.startsWith('csg:') ? { ...source, link: line } : { ...source, token: line };
}

type Members = Readonly<Record<string, string>>;

function fromLink(link: string | undefined): Members {
  if (link === undefined) return {};
  const url = URL.canParse(link) ? new URL(link) : null;
  const isEnroll = url?.protocol === 'csg:' && `${url.host}${url.pathname}`.replace(/\/$/, '') === 'enroll';
  if (url === null || !isEnroll) {
    throw new AgentError('This is not an enrollment link. A link begins with csg://enroll?server=');
  }
  return Object.fromEntries(url.searchParams);
}

function fromFile(file: string | undefined): Members {
  if (file === undefined) return {};
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new AgentError(
      `The managed file ${file} ${code === undefined ? 'is not JSON' : `cannot be read (${code})`}.`,
    );
  }
  if (typeof value !== 'object' || value === null)
    throw new AgentError(`The managed file ${file} is not a JSON object.`);
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
