/** Paths to reload after a request is created, cancelled or decided. */
export const REQUEST_PATHS = ['/requests', '/approvals', '/overview', '/false-alarms'];
/** Paths to reload after a decision, which may allow a text. */
export const DECISION_PATHS = [...REQUEST_PATHS, '/allowed-texts', '/events'];
