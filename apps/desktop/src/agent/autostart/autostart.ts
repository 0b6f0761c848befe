import type { RunCommand } from '../../trust/trust-store.ts';
import type { AgentProgram } from './agent-program.ts';

/** The service manager of this computer starts the agent, and starts it again whenever it ends. */
export interface Autostart {
  /** What it is there, for a person. */
  readonly name: string;
  /** Also starts it. A sentence for a person, or null: it is done. */
  install(program: AgentProgram): Promise<string | null>;
  state(): Promise<AutostartState>;
  /** Also stops it. Removing what is absent changes nothing. */
  remove(): Promise<string | null>;
}

export type AutostartState =
  | { readonly kind: 'absent' }
  /** In the words of the service manager. */
  | { readonly kind: 'installed'; readonly state: string };

export interface AutostartOptions {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly run: RunCommand;
  readonly uid: number;
  /** For the whole computer, started with it, as this user; null: for this user, from the login on. */
  readonly systemUser: string | null;
}
