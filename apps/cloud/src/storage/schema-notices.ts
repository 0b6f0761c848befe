/** Tables of what is told to others. */
export interface NoticeTables {
  webhook_deliveries: WebhookDeliveriesTable;
  webhook_secrets: {
    project_id: string;
    sealed: Buffer;
    previous_sealed: Buffer | null;
    previous_until_ms: number | null;
    created_at_ms: number;
  };
  /** Where an organization's checkpoints are sent to; `url` is sealed, in base64. */
  audit_targets: { organization_id: string; url: string; updated_at_ms: number };
  /** What an account was told about its month, so that it is told once. `alert`: 80, 90, 100, overage. */
  usage_alerts: { account_id: string; month: string; alert: string; at_ms: number };
}

export interface WebhookDeliveriesTable {
  id: string;
  organization_id: string;
  /** null: for the organization's audit target. */
  project_id: string | null;
  event: string;
  event_id: string | null;
  /** The bytes that are sent and signed. */
  payload: string;
  is_test: number;
  status: string;
  attempts: number;
  /** In the present series: a manual retry begins a new one. */
  failures: number;
  response_status: number | null;
  last_error: string | null;
  due_at_ms: number;
  lease_id: string | null;
  /** 0: nobody has it. */
  lease_ends_at_ms: number;
  last_attempt_at_ms: number | null;
  created_at_ms: number;
}
