export type Json = Record<string, unknown>;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; empty if it is not an object. */
  readonly body: Json;
  /** `error` of the envelope; empty if there is none. */
  readonly error: Json;
}

/** Reads a response to its end. */
export async function readAnswer(coming: Promise<Response>): Promise<Answer> {
  const response = await coming;
  const text = await response.text();
  const body = parse(text);
  const error = body['error'];
  return {
    status: response.status,
    headers: response.headers,
    text,
    body,
    error: typeof error === 'object' && error !== null ? (error as Json) : {},
  };
}

function parse(text: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Json) : {};
  } catch {
    return {};
  }
}
