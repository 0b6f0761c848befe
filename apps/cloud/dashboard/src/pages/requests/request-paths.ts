/** What to read again after a request was made, cancelled or decided. */
export const REQUEST_PATHS = [
  '/exceptions',
  '/tool-requests',
  '/tool-reviews',
  '/approvals',
  '/overview',
  '/false-alarms',
];
