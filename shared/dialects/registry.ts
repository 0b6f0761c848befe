import type { Dialect, DialectName } from './dialect.ts';

export interface DialectAddress {
  readonly method: string;
  /** Without a host any known path counts (the cloud's own routes); with one, only that vendor's. */
  readonly host?: string;
  /** The path alone, or with its query. */
  readonly path: string;
}

/** (method, host, path) -> the dialect spoken there, or nothing. */
export function findDialect(address: DialectAddress): Dialect | undefined {
  throw new Error(`not written yet ${address.path}`);
}

export function dialectByName(name: DialectName): Dialect {
  throw new Error(`not written yet ${name}`);
}
