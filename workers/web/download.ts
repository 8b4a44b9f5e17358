import type { WrongFileName } from '../api.ts'

/** A file with a length that is known in advance. */
export interface ExpectedFile {
  readonly address: string
  readonly bytes: number
}

/** Download options, only changed in tests. */
export interface DownloadOptions {
  readonly fetch?: (address: string, init: RequestInit) => Promise<Response>
  /** How many milliseconds to wait before each retry that made no progress. After the last one, the download fails. */
  readonly pauses?: readonly number[]
  /** A connection is abandoned after this many milliseconds without a byte. */
  readonly stallMilliseconds?: number
  /** Receives the number of bytes downloaded so far. */
  readonly onBytes?: (bytes: number) => void
}

const usualPauses = [1000, 2000, 4000, 8000, 8000]
const usualStall = 15_000

/** Thrown if the downloaded content is not the expected file. */
export class WrongFile extends Error {
  override readonly name: WrongFileName = 'WrongFileError'
}

/** Thrown if the file does not exist on the server, so that retrying is pointless. */
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

/** A single attempt, which continues filling `into`. */
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
    stalled.abort() // aborts the response if it is the wrong file
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

/** True if a response resumes the file at this byte. */
function continuesAt(answer: Response, first: number): boolean {
  return answer.status === 206 && answer.headers.get('content-range')?.startsWith(`bytes ${first}-`) === true
}
