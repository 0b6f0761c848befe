/** Paths to reload after a request is created, cancelled or decided. */
export const REQUEST_PATHS = [
  '/exceptions',
  '/tool-requests',
  '/tool-reviews',
  '/approvals',
  '/overview',
  '/false-alarms',
];
