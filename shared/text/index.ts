export * from './spans.ts';
export * from './text-slot.ts';
