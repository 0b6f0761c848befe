/**
 * State machine that keeps the proxy running and the computer's settings consistent with it. Pure: takes events with
 * their time, and returns actions. The runner (run-supervisor.ts) performs them.
 */
export type SupervisorStateName = 'quiet' | 'retrying' | 'gave_up';

export interface SupervisorOptions {
  /** Interval of probes while the proxy is healthy. */
  readonly probeEveryMs: number;
  /** A slower probe counts as a hang. */
  readonly probeTimeoutMs: number;
  /** After this many consecutive failed probes the proxy is restarted. */
  readonly failuresToHang: number;
  /** From start to `ready`. */
  readonly startTimeoutMs: number;
  /** Pause before the first restart; doubles with each further one. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** After this many restarts within `budgetWindowMs` it gives up. */
  readonly budget: number;
  readonly budgetWindowMs: number;
}

export const SUPERVISOR_DEFAULTS: SupervisorOptions = {
  probeEveryMs: 2_000,
  // The same as the interval: one timer serves both, and an idle computer wakes up once for each probe.
  probeTimeoutMs: 2_000,
  failuresToHang: 2,
  // A computer that swaps or compiles needs this long; with a shorter timeout the proxy would never become ready.
  startTimeoutMs: 30_000,
  firstPauseMs: 250,
  longestPauseMs: 8_000,
  budget: 5,
  budgetWindowMs: 120_000,
};

/** If the timer is later than this, the probe is inconclusive. */
const OWN_STALL_MS = 250;

export type SupervisorInput =
  | { readonly type: 'start' }
  | { readonly type: 'ready'; readonly port: number }
  /** Only for the current process; the exit of one that was killed is ignored. */
  | { readonly type: 'exited'; readonly reason: string }
  | { readonly type: 'probe-passed' }
  | { readonly type: 'probe-failed'; readonly reason: string }
  /** Only time has passed. */
  | { readonly type: 'tick' }
  /** A user, or the service, requests a new start with a fresh budget. */
  | { readonly type: 'try-again' }
  | { readonly type: 'stop' };

export type SupervisorOutput =
  | { readonly type: 'start' }
  /** Kills what is left of the proxy immediately. */
  | { readonly type: 'kill' }
  /** Ends the proxy gracefully. */
  | { readonly type: 'end' }
  | { readonly type: 'probe'; readonly port: number; readonly timeoutMs: number }
  /** The proxy works: point the computer at it. */
  | { readonly type: 'protect'; readonly port: number }
  /** The proxy does not work: restore the computer's settings first. */
  | { readonly type: 'release' }
  | {
      readonly type: 'report';
      readonly state: SupervisorStateName;
      readonly restarts: number;
      readonly reason: string | null;
    };

export type SupervisorPhase =
  | 'idle'
  | 'starting'
  | 'checking'
  | 'running'
  | 'pausing'
  | 'gave_up'
  | 'stopped';

export interface SupervisorState {
  readonly phase: SupervisorPhase;
  readonly name: SupervisorStateName;
  /** Since the agent started; reported by heartbeats. */
  readonly restarts: number;
  readonly port: number;
  /** True while the computer points at the proxy. */
  readonly protects: boolean;
  /** Consecutive failed probes. */
  readonly failures: number;
  /** When the probe in progress was sent; null: there is none. */
  readonly probeSentMs: number | null;
  /** Deadline of the next `tick` if no other event occurs. Null: none is needed. */
  readonly wakeAtMs: number | null;
  /** Times of restarts within the budget's window. */
  readonly recentMs: readonly number[];
  /** The latest time received; it never goes back with the clock. */
  readonly nowMs: number;
  /** Why the state is not `quiet`. */
  readonly reason: string | null;
}

export interface SupervisorStep {
  readonly state: SupervisorState;
  /** Performed in this order. */
  readonly outputs: readonly SupervisorOutput[];
}

export const SUPERVISOR_START: SupervisorState = {
  phase: 'idle',
  name: 'quiet',
  restarts: 0,
  port: 0,
  protects: false,
  failures: 0,
  probeSentMs: null,
  wakeAtMs: null,
  recentMs: [],
  nowMs: Number.NEGATIVE_INFINITY,
  reason: null,
};

/** `nowMs`: any monotonic clock. */
export function superviseStep(
  before: SupervisorState,
  input: SupervisorInput,
  nowMs: number,
  options: SupervisorOptions = SUPERVISOR_DEFAULTS,
): SupervisorStep {
  const state = { ...before, nowMs: Math.max(before.nowMs, nowMs) };
  switch (input.type) {
    case 'start':
      return state.phase === 'idle' || state.phase === 'stopped' ? begin(state, options) : stay(state);
    case 'try-again':
      return state.phase === 'gave_up' || state.phase === 'pausing'
        ? begin({ ...state, recentMs: [], restarts: state.restarts + 1 }, options)
        : stay(state);
    case 'stop':
      return stop(state);
    case 'ready':
      return state.phase === 'starting'
        ? probe({ ...state, phase: 'checking', port: input.port, failures: 0 }, options)
        : stay(state);
    case 'exited':
      return isAlive(state) ? fall(state, input.reason, false, options) : stay(state);
    case 'probe-passed':
      return state.probeSentMs === null ? stay(state) : passed(state, options);
    case 'probe-failed':
      return state.probeSentMs === null ? stay(state) : failed(state, input.reason, options);
    case 'tick':
      return tick(state, options);
  }
}

type State = SupervisorState;

function stay(state: State): SupervisorStep {
  return { state, outputs: [] };
}

function isAlive({ phase }: State): boolean {
  return phase === 'starting' || phase === 'checking' || phase === 'running';
}

function begin(state: State, options: SupervisorOptions): SupervisorStep {
  const wakeAtMs = state.nowMs + options.startTimeoutMs;
  return {
    state: { ...state, phase: 'starting', failures: 0, probeSentMs: null, wakeAtMs },
    outputs: [{ type: 'start' }],
  };
}

function probe(state: State, options: SupervisorOptions): SupervisorStep {
  const wakeAtMs = state.nowMs + options.probeTimeoutMs;
  return {
    state: { ...state, probeSentMs: state.nowMs, wakeAtMs },
    outputs: [{ type: 'probe', port: state.port, timeoutMs: options.probeTimeoutMs }],
  };
}

function passed(state: State, options: SupervisorOptions): SupervisorStep {
  const sentMs = state.probeSentMs ?? state.nowMs;
  const next: State = {
    ...state,
    phase: 'running',
    name: 'quiet',
    protects: true,
    failures: 0,
    probeSentMs: null,
    wakeAtMs: sentMs + options.probeEveryMs,
    reason: null,
  };
  const outputs: SupervisorOutput[] = [];
  if (!state.protects) outputs.push({ type: 'protect', port: state.port });
  if (state.phase !== 'running' || state.name !== 'quiet') outputs.push(report(next));
  return { state: next, outputs };
}

function failed(state: State, reason: string, options: SupervisorOptions): SupervisorStep {
  const failures = state.failures + 1;
  if (failures >= options.failuresToHang) return fall(state, reason, true, options);
  // Probed again immediately: a client may be waiting for a response.
  return probe({ ...state, failures }, options);
}

/** The proxy has exited or must be ended. The computer's settings are restored first. */
function fall(state: State, reason: string, alive: boolean, options: SupervisorOptions): SupervisorStep {
  const outputs: SupervisorOutput[] = [];
  if (state.protects) outputs.push({ type: 'release' });
  if (alive) outputs.push({ type: 'kill' });
  const recentMs = state.recentMs.filter((atMs) => state.nowMs - atMs < options.budgetWindowMs);
  const spent = recentMs.length >= options.budget;
  const pauseMs = Math.min(options.longestPauseMs, options.firstPauseMs * 2 ** recentMs.length);
  const next: State = {
    ...state,
    phase: spent ? 'gave_up' : 'pausing',
    name: spent ? 'gave_up' : 'retrying',
    protects: false,
    failures: 0,
    probeSentMs: null,
    recentMs,
    wakeAtMs: spent ? null : state.nowMs + pauseMs,
    reason,
  };
  outputs.push(report(next));
  return { state: next, outputs };
}

function stop(state: State): SupervisorStep {
  const outputs: SupervisorOutput[] = [];
  if (state.protects) outputs.push({ type: 'release' });
  if (isAlive(state)) outputs.push({ type: 'end' });
  return {
    state: { ...state, phase: 'stopped', protects: false, probeSentMs: null, wakeAtMs: null },
    outputs,
  };
}

function tick(state: State, options: SupervisorOptions): SupervisorStep {
  if (state.wakeAtMs === null || state.nowMs < state.wakeAtMs) return stay(state);
  if (state.phase === 'starting') {
    return fall(state, `The proxy was not ready after ${options.startTimeoutMs} ms.`, true, options);
  }
  if (state.phase === 'pausing') {
    const restarts = state.restarts + 1;
    const step = begin({ ...state, restarts, recentMs: [...state.recentMs, state.nowMs] }, options);
    return { state: step.state, outputs: [...step.outputs, report(step.state)] };
  }
  if (state.probeSentMs !== null) {
    // This process was stalled too, and the response may be waiting in its queue.
    if (state.nowMs - state.wakeAtMs > OWN_STALL_MS) return probe(state, options);
    return fall(state, `The proxy did not respond within ${options.probeTimeoutMs} ms.`, true, options);
  }
  return isAlive(state) ? probe(state, options) : stay(state);
}

function report({ name, restarts, reason }: State): SupervisorOutput {
  return { type: 'report', state: name, restarts, reason };
}
