/**
 * Parts that the test files of one process share, such as a gateway. They stay open from file to file and are closed
 * after the last one.
 */
const closers: (() => Promise<void>)[] = [];
let isSharing = false;

/** Called once, by the program that runs several test files in its process. */
export function sharePartsOfProcess(): void {
  isSharing = true;
}

export function sharesParts(): boolean {
  return isSharing;
}

export function closeAtEnd(close: () => Promise<void>): void {
  closers.push(close);
}

export async function closeSharedParts(): Promise<void> {
  for (const close of closers.splice(0)) await close();
}
