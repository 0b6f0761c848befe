export * from './body-fault.ts';
export * from './canonical-json.ts';
export * from './json-literals.ts';
export * from './parse-json.ts';
export * from './spans.ts';
export * from './strict-json.ts';
export * from './text-slot.ts';
export * from './tool-name.ts';
