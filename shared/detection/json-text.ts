/** The beginning of an object, an array or a string. */
const JSON_TEXT = /^\s*[[{"]/;

/** True for one JSON value, or one on each line. */
export function isJsonText(text: string): boolean {
  return (
    isJson(text) ||
    (JSON_TEXT.test(text) && text.split('\n').every((line) => line.trim() === '' || isJson(line)))
  );
}

function isJson(text: string): boolean {
  if (!JSON_TEXT.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
