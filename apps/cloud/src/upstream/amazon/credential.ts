/** Stored as `ACCESS_KEY_ID:SECRET_ACCESS_KEY[:REGION]`. */
export interface AmazonCredential {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** null: the configured region. It becomes part of a host name. */
  readonly region: string | null;
}

const FORM = /^([\w.-]{1,128}):([^:\s]{1,256})(?::([a-z][a-z0-9-]{1,40}))?$/;

/** null: not such a credential, for example an API key of Bedrock, which is sent as a bearer token. */
export function parseAmazonCredential(text: string): AmazonCredential | null {
  const [, accessKeyId, secretAccessKey, region = null] = FORM.exec(text) ?? [];
  return accessKeyId === undefined || secretAccessKey === undefined
    ? null
    : { accessKeyId, secretAccessKey, region };
}
