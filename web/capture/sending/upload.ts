import type { SendBytes } from './multipart.ts'
import { untilCut } from './until-cut.ts'
import type { Uplink } from './uplink.ts'

/** A server may take this long to answer. */
const answerMilliseconds = 60_000
/** An upload that does not progress for this long is lost, even without an error. */
const stalledMilliseconds = 20_000

/** A `fetch` that reports upload progress, which only XMLHttpRequest provides. A slow upload may take as long as it needs. */
export function uploadingFetch(
  onUploaded: (share: number) => void,
  uplink?: Pick<Uplink, 'measure'>,
): SendBytes {
  return (address, { method, headers, body }) =>
    new Promise((resolve, reject) => {
      const measure = uplink?.measure()
      const request = new XMLHttpRequest()
      request.open(method, address)
      for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
      request.upload.onprogress = ({ loaded, total }) => {
        measure?.(loaded)
        extend(stalledMilliseconds)
        if (total > 0) onUploaded(loaded / total)
      }
      request.upload.onload = () => {
        onUploaded(1)
        extend(answerMilliseconds)
      }
      const { signal, extend, over } = untilCut(stalledMilliseconds)
      signal.onabort = () => request.abort()
      request.onerror = () => reject(new TypeError('the request was not answered'))
      request.onabort = request.onerror
      request.onloadend = over
      request.onload = () =>
        resolve({
          ok: request.status >= 200 && request.status < 300,
          status: request.status,
          headers: { get: (name) => request.getResponseHeader(name) },
          text: () => Promise.resolve(request.responseText),
        })
      request.send(body ?? null)
    })
}
