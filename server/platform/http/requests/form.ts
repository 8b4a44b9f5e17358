/**
 * A form's members as strings. A repeated member becomes an empty list, which no string schema accepts.
 * @throws {URIError} if the text is not percent-encoded UTF-8
 */
export function parseForm(text: string): Record<string, string | never[]> {
  decodeURIComponent(text)
  const members = new Map<string, string | never[]>()
  for (const [name, value] of new URLSearchParams(text)) {
    members.set(name, members.has(name) ? [] : value)
  }
  return Object.fromEntries(members)
}
