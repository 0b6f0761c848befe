import type { BridgeCall, BridgeParams, BridgeResults, WindowBridge } from '../bridge/window-bridge.ts';

declare global {
  interface Window {
    /** Provided by preload. */
    readonly agent: WindowBridge;
  }
}

/** Invokes a call of the app. Rejects with a message for the user. */
export async function invoke<Call extends BridgeCall>(
  call: Call,
  ...[params]: BridgeParams[Call] extends null ? [] : [BridgeParams[Call]]
): Promise<BridgeResults[Call]> {
  const reply = await window.agent.invoke(call, params ?? null);
  if (reply.ok) return reply.value as BridgeResults[Call];
  throw new Error(reply.message);
}
