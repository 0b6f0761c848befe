/**
 * Returns whether `promise` settles before a timer of `ms` that starts now. If it waits for a timer itself, both are on
 * the same event loop: a busy computer delays them alike, and their order stays.
 */
export async function settlesBefore(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(resolve, ms, false);
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
