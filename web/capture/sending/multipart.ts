import type { Fetch } from '#shared/call.ts'

/** One picture in a list; `bytes` is the content of its file. */
interface BinaryPicture {
  readonly bytes: Uint8Array
  readonly time: number
  readonly challengeStep?: number
}

/** A body in the form in which it is sent. */
interface EncodedBody {
  readonly type: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Sends a request like `fetch`, but also accepts bytes as its body. */
export type SendBytes = (
  address: string,
  init: { method: string; headers: Record<string, string>; body?: string | Uint8Array<ArrayBuffer> },
) => ReturnType<Fetch>

/** A `fetch` that always sends this body, no matter which body it receives. */
export function withBody(send: SendBytes, { type, bytes }: EncodedBody): Fetch {
  return (address, { method, headers }) =>
    send(address, { method, headers: { ...headers, 'content-type': type }, body: bytes })
}

/**
 * Encodes a request as `multipart/form-data`. `members` are sent as JSON. Each picture in `lists` is sent as the raw bytes of its
 * own part, which avoids the extra third that Base64 would add.
 */
export function encodeMultipart(
  members: Readonly<Record<string, unknown>>,
  lists: { readonly frames: readonly BinaryPicture[]; readonly trail?: readonly BinaryPicture[] },
): EncodedBody {
  const boundary = `p${Array.from(crypto.getRandomValues(new Uint32Array(2)), (part) => part.toString(36)).join('')}`
  const chunks: Uint8Array[] = []
  const encoder = new TextEncoder()
  const add = (name: string, type: string, content: Uint8Array) => {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Type: ${type}\r\n\r\n`
    chunks.push(encoder.encode(head), content, encoder.encode('\r\n'))
  }
  const json = (name: string, value: unknown) =>
    add(name, 'application/json', encoder.encode(JSON.stringify(value)))
  for (const [name, value] of Object.entries(members)) if (value !== undefined) json(name, value)
  for (const [name, pictures] of Object.entries<readonly BinaryPicture[]>(lists)) {
    json(
      name,
      pictures.map(({ bytes: _bytes, ...rest }) => rest),
    )
    for (const [i, { bytes }] of pictures.entries()) add(`${name}[${i}].bytes`, 'image/jpeg', bytes)
  }
  chunks.push(encoder.encode(`--${boundary}--\r\n`))
  return { type: `multipart/form-data; boundary=${boundary}`, bytes: joined(chunks) }
}

function joined(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}
