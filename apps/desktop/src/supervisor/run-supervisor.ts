import {
  SUPERVISOR_DEFAULTS,
  SUPERVISOR_START,
  type SupervisorInput,
  type SupervisorOptions,
  type SupervisorOutput,
  type SupervisorState,
  type SupervisorStateName,
  superviseStep,
} from './machine.ts';

/** The proxy, as created by the agent. Its events after `kill` or `end` are ignored. */
export interface ProxyHandle {
  kill(): void;
  /** Resolves when it has exited; kills it after a while. */
  end(): Promise<void>;
}

export interface ProxyCallbacks {
  readonly ready: (port: number) => void;
  readonly exited: (reason: string) => void;
}

export interface SupervisorDeps {
  /** Monotonic clock, in ms. */
  readonly now: () => number;
  readonly start: (callbacks: ProxyCallbacks) => ProxyHandle;
  /** Null if the proxy works, otherwise a sentence. Never rejects; may hang, because the supervisor limits its time. */
  readonly probe: (port: number, timeoutMs: number) => Promise<string | null>;
  /** Points the computer at the proxy. Never rejects. */
  readonly protect: (port: number) => Promise<void>;
  /** Restores the values of the restore journal. Never rejects. */
  readonly release: () => Promise<void>;
  readonly report: (status: SupervisorStatus) => void;
}

export interface SupervisorStatus {
  readonly state: SupervisorStateName;
  readonly restarts: number;
  readonly reason: string | null;
}

export interface Supervisor {
  start(): void;
  /** Starts the proxy again after giving up, or ends a pause. */
  tryAgain(): void;
  status(): SupervisorStatus & { readonly port: number; readonly protects: boolean };
  /** Resolves after the computer's settings are restored and the proxy has exited. */
  stop(): Promise<void>;
}

/** Performs the actions of the state machine with real clocks and processes. */
export function createSupervisor(
  deps: SupervisorDeps,
  options: SupervisorOptions = SUPERVISOR_DEFAULTS,
): Supervisor {
  let state: SupervisorState = SUPERVISOR_START;
  let handle: ProxyHandle | null = null;
  /** Distinguishes events of the current proxy from those of an earlier one. */
  let generation = 0;
  let probeNumber = 0;
  let timer: NodeJS.Timeout | undefined;
  let timerAtMs: number | null = null;
  /** Changes of the computer's settings run in the order of their requests. */
  let settings: Promise<void> = Promise.resolve();
  let ending: Promise<void> = Promise.resolve();

  function feed(input: SupervisorInput): void {
    const step = superviseStep(state, input, deps.now(), options);
    state = step.state;
    for (const output of step.outputs) perform(output);
    // Resetting an unchanged timer would wake the computer once for the old one too.
    if (state.wakeAtMs === timerAtMs) return;
    clearTimeout(timer);
    timerAtMs = state.wakeAtMs;
    if (timerAtMs === null) return;
    timer = setTimeout(onTimer, Math.max(1, Math.ceil(timerAtMs - deps.now())));
  }

  function onTimer(): void {
    timerAtMs = null;
    feed({ type: 'tick' });
  }

  function perform(output: SupervisorOutput): void {
    switch (output.type) {
      case 'start':
        start();
        return;
      case 'kill':
        handle?.kill();
        handle = null;
        generation++;
        return;
      case 'end': {
        const ended = handle;
        handle = null;
        generation++;
        // After the settings are restored: until then apps may still connect and must find the proxy.
        ending = settings.then(() => ended?.end());
        return;
      }
      case 'probe':
        void probe(output.port, output.timeoutMs);
        return;
      case 'protect':
        settings = settings.then(() => deps.protect(output.port));
        return;
      case 'release':
        settings = settings.then(() => deps.release());
        return;
      case 'report':
        deps.report({ state: output.state, restarts: output.restarts, reason: output.reason });
    }
  }

  function start(): void {
    const own = ++generation;
    const callbacks: ProxyCallbacks = {
      ready: (port) => own === generation && feed({ type: 'ready', port }),
      exited: (reason) => {
        if (own !== generation) return;
        handle = null;
        feed({ type: 'exited', reason });
      },
    };
    try {
      handle = deps.start(callbacks);
    } catch (error) {
      // Deferred, so that one step ends before the next begins.
      queueMicrotask(() => callbacks.exited((error as Error).message));
    }
  }

  async function probe(port: number, timeoutMs: number): Promise<void> {
    const own = ++probeNumber;
    const requested = generation;
    const problem = await deps.probe(port, timeoutMs);
    if (own !== probeNumber || requested !== generation) return;
    feed(problem === null ? { type: 'probe-passed' } : { type: 'probe-failed', reason: problem });
  }

  return {
    start: () => feed({ type: 'start' }),
    tryAgain: () => feed({ type: 'try-again' }),
    status: () => ({
      state: state.name,
      restarts: state.restarts,
      reason: state.reason,
      port: state.port,
      protects: state.protects,
    }),
    async stop() {
      feed({ type: 'stop' });
      await settings;
      await ending;
    },
  };
}
