import type { WrongFileName } from '../api.ts'

/** A file whose length is known before it is fetched. */
export interface ExpectedFile {
  readonly address: string
  readonly bytes: number
}

/** How a download is made; a test gives its own. */
export interface DownloadOptions {
  readonly fetch?: (address: string, init: RequestInit) => Promise<Response>
  /** Milliseconds before each further try that brings nothing new; after the last one the download fails. */
  readonly pauses?: readonly number[]
  /** Milliseconds without a byte after which a connection is given up. */
  readonly stallMilliseconds?: number
  /** Receives the number of bytes so far. */
  readonly onBytes?: (bytes: number) => void
}

const usualPauses = [1000, 2000, 4000, 8000, 8000]
const usualStall = 15_000

/** Something arrived that is not the file. */
export class WrongFile extends Error {
  override readonly name: WrongFileName = 'WrongFileError'
}

/** The file does not exist on the server, so further tries cannot help. */
class NoSuchFile extends Error {}

/**
 * Downloads a file. An interrupted download goes on after the bytes that arrived, or begins again if the server does not
 * send parts; as long as tries bring something new, there is no end to them.
 *
 * [Note: The rest comes uncompressed] A browser hands out decoded bytes, so the rest is asked for by its place in the decoded
 * file, which browsers then request without compression.
 * @throws WrongFile for a page or a longer file; any other error if the network brings nothing
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

/** One try, which fills `into` further. */
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
    timer = setTimeout(() => stalled.abort(new Error(`${address} does not arrive`)), stallMilliseconds)
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
    stalled.abort() // whatever still comes of a wrong file
  }
}

function checkAnswer(answer: Response, address: string): void {
  const { ok, status } = answer
  if (!ok)
    throw new (status === 404 || status === 410 ? NoSuchFile : Error)(
      `${address} was answered with ${status}`,
    )
  if (/\bhtml\b/.test(answer.headers.get('content-type') ?? ''))
    throw new WrongFile(`${address} was answered with a page`)
}

/** True if an answer continues the file at this byte. */
function continuesAt(answer: Response, first: number): boolean {
  return answer.status === 206 && answer.headers.get('content-range')?.startsWith(`bytes ${first}-`) === true
}
