// Asks the guard of the gateway about the texts of any JSON value; for the adapters beside it.
// With --fail-open texts pass while the gateway does not respond.
const { GATEWAY_URL = 'http://127.0.0.1:8787', SERVICE_KEY = '' } = process.env;
const failOpen = process.argv.includes('--fail-open');

/** Every text of a value with its role, and a way to replace it; images are read apart from texts. */
export function textsOf(value, role, found = { texts: [], media: [] }) {
  for (const [name, member] of Object.entries(value ?? {})) {
    if (member?.type === 'image_url' || member?.type === 'image' || member?.type === 'input_image') {
      found.media.push(member);
    } else if (typeof member === 'string') {
      const replace = (text) => {
        value[name] = text;
      };
      found.texts.push({ role, content: member, replace });
    } else if (typeof member === 'object') {
      const isResult = member?.type === 'tool_result' || member?.type === 'function_call_output';
      textsOf(member, isResult ? 'tool' : (member?.role ?? role), found);
    }
  }
  return found;
}

/** Replaces what has to be redacted in place. */
export async function guard({ texts, media }, direction) {
  if (texts.length + media.length === 0) return { decision: 'allow' };
  // A message without words stands for the images beside it.
  const messages = texts.length === 0 ? [{ role: 'user', content: '' }] : texts;
  try {
    const response = await fetch(`${GATEWAY_URL}/api/v1/guard`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': SERVICE_KEY },
      body: JSON.stringify({
        messages: messages.map(({ role, content }) => ({ role, content })),
        direction,
        media,
      }),
    });
    if (!response.ok) throw new Error(`the gateway responded with ${response.status}`);
    const { decision, threats, redacted_messages } = await response.json();
    if (decision === 'redact') {
      for (const [index, { replace }] of texts.entries()) replace(redacted_messages[index].content);
    }
    const types = [...new Set(threats.map(({ type }) => type))].join(', ');
    return { decision, reason: `Blocked by the content security policy (${types}).` };
  } catch (error) {
    console.error(error.message);
    return {
      decision: failOpen ? 'allow' : 'block',
      reason: 'The content security gateway did not respond.',
    };
  }
}
