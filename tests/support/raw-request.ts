import { connect } from 'node:net'

export interface RawAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: string
  /** Everything that was received, unmodified. */
  readonly text: string
}

/** Sends raw bytes. Returns everything received until the connection ends or nothing arrives for `quietMilliseconds`. */
export async function sendRaw(origin: string, bytes: string, quietMilliseconds = 500): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  let text = ''
  await new Promise<void>((done, fail) => {
    let quiet = setTimeout(done, quietMilliseconds * 4)
    socket.setEncoding('latin1')
    socket.on('data', (chunk) => {
      text += chunk
      clearTimeout(quiet)
      quiet = setTimeout(done, quietMilliseconds)
    })
    socket.once('error', (error) => (text === '' ? fail(error) : done()))
    socket.once('close', () => done())
    socket.write(Buffer.from(bytes, 'latin1'))
  })
  socket.destroy()
  return parse(text)
}

function parse(text: string): RawAnswer {
  const final = text.replace(/^HTTP\/1\.1 1\d\d [^\r]*\r\n(?:[^\r]+\r\n)*\r\n/, '')
  const [head = '', ...rest] = final.split('\r\n\r\n')
  const [line = '', ...fields] = head.split('\r\n')
  const headers = new Headers()
  for (const field of fields)
    headers.append(field.slice(0, field.indexOf(':')), field.slice(field.indexOf(':') + 1))
  return { status: Number(line.split(' ')[1]), headers, body: rest.join('\r\n\r\n'), text }
}
