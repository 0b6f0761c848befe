export interface Quantized {
  readonly bytes: Int8Array;
  /** Weight per step. */
  readonly scale: number;
}

/** Uses one scale for all weights, set by the largest: clipping it would clip the meanings. */
export function quantize(weights: Float32Array): Quantized {
  let largest = 0;
  for (const value of weights) largest = Math.max(largest, Math.abs(value));
  const scale = largest / 127;
  return { bytes: Int8Array.from(weights, (value) => Math.round(value / scale)), scale };
}
