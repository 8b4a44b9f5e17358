import type { SendBytes } from './multipart.ts'
import { untilCut } from './until-cut.ts'

const uploadMilliseconds = 60_000

/** A `fetch` that tells how much has gone out: XMLHttpRequest alone knows. */
export function uploadingFetch(onUploaded: (share: number) => void): SendBytes {
  return (address, { method, headers, body }) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open(method, address)
      for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
      request.upload.onprogress = ({ loaded, total }) => total > 0 && onUploaded(loaded / total)
      request.upload.onload = () => onUploaded(1)
      const { signal, over } = untilCut(uploadMilliseconds)
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
