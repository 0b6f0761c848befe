/**
 * Options of Node that the service runs with; the image has the same (build/cloud/Dockerfile).
 * Above 16 MiB of young objects one collection stops the event loop for over 10 ms where prompts are long: 15 ms with
 * what V8 takes by itself, 6 ms with this.
 */
export const SERVICE_OPTIONS = ['--max-semi-space-size=16'];
