import { parseMultipart } from '#server/platform/http/requests/multipart.ts'

/** A body that a page sent, as the server reads it: JSON, or parts with pictures as their bytes. */
export function sentBody(body: string | Uint8Array): unknown {
  const bytes = Buffer.from(body as Uint8Array)
  if (bytes[0] !== '-'.charCodeAt(0)) return JSON.parse(bytes.toString())
  const boundary = bytes.subarray(2, bytes.indexOf('\r\n')).toString()
  return parseMultipart(bytes, boundary)
}
