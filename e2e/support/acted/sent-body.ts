/** A body that the capture page sent, converted to JSON with Base64 pictures. */
export function sentBody(body: Uint8Array): unknown {
  const text = Buffer.from(body).toString('latin1')
  if (!text.startsWith('--')) return JSON.parse(Buffer.from(body).toString())
  const boundary = text.slice(0, text.indexOf('\r\n'))
  const found: Record<string, unknown> = {}
  const pictures: (readonly [list: string, index: number, bytes: string])[] = []
  for (const part of text.split(boundary).slice(1, -1)) {
    const [head = ''] = part.split('\r\n\r\n')
    const content = Buffer.from(part.slice(head.length + 4, -2), 'latin1')
    const [, name = '', index] = /name="([a-zA-Z]+)(?:\[(\d+)\]\.bytes)?"/.exec(head) ?? []
    if (index === undefined) found[name] = JSON.parse(content.toString())
    else pictures.push([name, Number(index), content.toString('base64')])
  }
  for (const [list, index, bytes] of pictures) {
    const entries = found[list] as object[]
    entries[index] = { bytes, ...entries[index] }
  }
  return found
}
