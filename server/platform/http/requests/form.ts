/**
 * The members of a form, each a text; an empty list where one is given more than once, which no schema of a text takes.
 * @throws {URIError} where it is no percent-encoded UTF-8
 */
export function parseForm(text: string): Record<string, string | never[]> {
  decodeURIComponent(text)
  const members = new Map<string, string | never[]>()
  for (const [name, value] of new URLSearchParams(text)) {
    members.set(name, members.has(name) ? [] : value)
  }
  return Object.fromEntries(members)
}
