import type { RunCommand } from '../../trust/trust-store.ts';
import type { AgentProgram } from './agent-program.ts';

/** The service manager of this computer starts the agent and restarts it whenever it ends. */
export interface Autostart {
  /** Name of the service manager, shown to the user. */
  readonly name: string;
  /** Also starts the agent. Resolves to a sentence for the user, or null on success. */
  install(program: AgentProgram): Promise<string | null>;
  state(): Promise<AutostartState>;
  /** Also stops the agent. Removing an absent entry changes nothing. */
  remove(): Promise<string | null>;
}

export type AutostartState =
  | { readonly kind: 'absent' }
  /** `state` is the service manager's own wording. */
  | { readonly kind: 'installed'; readonly state: string };

export interface AutostartOptions {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly run: RunCommand;
  readonly uid: number;
  /** Installs for the whole computer, started at boot as this user; null: for the current user, started at login. */
  readonly systemUser: string | null;
}
