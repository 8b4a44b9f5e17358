/** A row of a table by the names of its columns. */
export type Row = Readonly<Record<string, string>>

/** The rows of a CSV with a head line (RFC 4180: quoted fields may hold commas, quotes and line breaks). */
export function parseCsv(text: string): Row[] {
  const [head, ...records] = recordsOf(text.replace(/^\uFEFF/, ''))
  if (head === undefined) return []
  return records.map((fields) => Object.fromEntries(head.map((name, i) => [name.trim(), fields[i] ?? ''])))
}

function recordsOf(text: string): string[][] {
  const records: string[][] = []
  let fields: string[] = []
  for (const { field, end } of fieldsOf(text)) {
    fields.push(field)
    if (end === ',') continue
    if (fields.length > 1 || fields[0] !== '') records.push(fields)
    fields = []
  }
  return records
}

const fieldPattern = /(?:"((?:[^"]|"")*)"|((?!")[^,\r\n]*))(,|\r\n|\n|\r|$)/y

function* fieldsOf(text: string): Generator<{ field: string; end: string }> {
  fieldPattern.lastIndex = 0
  while (fieldPattern.lastIndex < text.length) {
    const match = fieldPattern.exec(text)
    if (match === null) throw new Error('A table has a quote that is not closed or not alone in its field')
    const [, quoted, plain, end] = match
    yield { field: quoted === undefined ? plain! : quoted.replaceAll('""', '"'), end: end! }
  }
}
