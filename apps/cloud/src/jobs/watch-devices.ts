import type { DeviceChannel } from '../flows/devices/device-channel.ts';

/** A decision is to reach its device within a second, whoever made it. */
const EVERY_MS = 300;

/** Looks for what connected devices have to be told, until stopped. Costs nothing while none is connected. */
export function startWatchingDevices(
  channel: Pick<DeviceChannel, 'look'>,
  everyMs: number = EVERY_MS,
): { stop(): void } {
  const timer = setInterval(() => void channel.look(), everyMs).unref();
  return { stop: () => clearInterval(timer) };
}
