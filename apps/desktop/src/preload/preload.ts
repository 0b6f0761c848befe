/**
 * The bridge into the window: the calls of `BRIDGE_CALLS` and the events of main. Runs sandboxed in an isolated world and
 * gives the page no access to Electron.
 */
import { contextBridge, ipcRenderer } from 'electron';
import {
  BRIDGE_CALLS,
  type BridgeEvent,
  type BridgeReply,
  type WindowBridge,
} from '../bridge/window-bridge.ts';

const bridge: WindowBridge = {
  async invoke(call, params): Promise<BridgeReply> {
    if (!BRIDGE_CALLS.includes(call)) return { ok: false, message: 'Unknown call.' };
    return await ipcRenderer.invoke('csg:invoke', call, params);
  },
  onEvent(listener) {
    const onMessage = (_event: unknown, bridgeEvent: BridgeEvent): void => listener(bridgeEvent);
    ipcRenderer.on('csg:event', onMessage);
    return () => void ipcRenderer.off('csg:event', onMessage);
  },
};

contextBridge.exposeInMainWorld('agent', bridge);
