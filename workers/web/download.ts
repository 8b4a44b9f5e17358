import type { WrongFileName } from '../api.ts'

/** A file whose length is known in advance. */
export interface ExpectedFile {
  readonly address: string
  readonly bytes: number
}

/** Options of a download, for tests. */
export interface DownloadOptions {
  readonly fetch?: (address: string, init: RequestInit) => Promise<Response>
  /** Milliseconds before each further attempt without progress; after the last one the download fails. */
  readonly pauses?: readonly number[]
  /** Milliseconds without a byte after which a connection is abandoned. */
  readonly stallMilliseconds?: number
  /** Receives the number of bytes so far. */
  readonly onBytes?: (bytes: number) => void
}

const usualPauses = [1000, 2000, 4000, 8000, 8000]
const usualStall = 15_000

/** The downloaded content is not the expected file. */
export class WrongFile extends Error {
  override readonly name: WrongFileName = 'WrongFileError'
}

/** The file does not exist on the server, so further attempts cannot help. */
class NoSuchFile extends Error {}

/**
 * Downloads a file. An interrupted download continues after the received bytes, or restarts if the server does not
 * support ranges. Attempts that make progress are not limited.
 *
 * [Note: The rest comes uncompressed] A browser delivers decoded bytes, so the rest is requested by its offset in the
 * decoded file, and browsers send range requests without compression.
 * @throws WrongFile for a page or a longer file; any other error if the network delivers nothing
 */
export async function download(
  file: ExpectedFile,
  options: DownloadOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const { pauses = usualPauses } = options
  const into = { bytes: new Uint8Array(file.bytes), count: 0 }
  let most = 0
  for (let failures = 0; ; ) {
    try {
      await receive(file, into, options)
      return into.bytes
    } catch (error) {
      if (error instanceof WrongFile || error instanceof NoSuchFile) throw error
      failures = into.count > most ? 0 : failures + 1
      most = Math.max(most, into.count)
      if (failures > pauses.length) throw error
      await new Promise((resolve) => setTimeout(resolve, pauses[Math.max(0, failures - 1)]))
    }
  }
}

interface PartialFile {
  readonly bytes: Uint8Array<ArrayBuffer>
  count: number
}

/** One attempt, which continues to fill `into`. */
async function receive(
  { address, bytes }: ExpectedFile,
  into: PartialFile,
  options: DownloadOptions,
): Promise<void> {
  const { fetch: ask = fetch, stallMilliseconds = usualStall, onBytes = () => {} } = options
  const stalled = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const watch = () => {
    clearTimeout(timer)
    timer = setTimeout(
      () => stalled.abort(new Error(`${address} could not be downloaded`)),
      stallMilliseconds,
    )
  }
  watch()
  try {
    const rest: RequestInit =
      into.count === 0 ? {} : { headers: { Range: `bytes=${into.count}-` }, cache: 'no-store' }
    const answer = await ask(address, { ...rest, signal: stalled.signal })
    checkAnswer(answer, address)
    if (!continuesAt(answer, into.count)) into.count = 0
    const reader = answer.body!.getReader()
    for (;;) {
      watch()
      const { done, value } = await reader.read()
      if (done) break
      if (into.count + value.length > bytes) throw new WrongFile(`${address} is longer than the file`)
      into.bytes.set(value, into.count)
      into.count += value.length
      onBytes(into.count)
    }
    if (into.count < bytes) throw new Error(`${address} ended after ${into.count} of ${bytes} bytes`)
  } finally {
    clearTimeout(timer)
    stalled.abort() // ends the response of a wrong file
  }
}

function checkAnswer(answer: Response, address: string): void {
  const { ok, status } = answer
  if (!ok)
    throw new (status === 404 || status === 410 ? NoSuchFile : Error)(
      `${address} returned the status ${status}`,
    )
  if (/\bhtml\b/.test(answer.headers.get('content-type') ?? ''))
    throw new WrongFile(`${address} returned a page`)
}

/** True if a response continues the file at this byte. */
function continuesAt(answer: Response, first: number): boolean {
  return answer.status === 206 && answer.headers.get('content-range')?.startsWith(`bytes ${first}-`) === true
}
