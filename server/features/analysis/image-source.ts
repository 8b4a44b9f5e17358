import type { Outbound } from '#server/platform/http/outbound/outbound.ts'
import { type DecodeBase64, decodeHere } from '#server/platform/http/requests/base64/base64-thread.ts'
import { createPlaces } from '#server/platform/running/places.ts'
import {
  type Image,
  type ImagePointers,
  imageLimits,
  imagePointers,
} from '#shared/contract/analysis/image.ts'
import { walkPicture } from '#shared/picture/picture-header.ts'
import { Problem } from '#shared/problem.ts'
import type { AnalysisRequest } from './analysis-service.ts'

const fetchTimeoutInMilliseconds = 10_000
const mostRedirects = 3
const longestAddress = 2048
/** [Note: Ours] Each may take 10 s. Fetched bytes count towards the memory budget. */
const mostFetchesAtOnce = 32

/**
 * Gets all bytes of a caller's picture, of a type and size that may be decoded. If the client disconnects, the fetch ends
 * and frees its place.
 */
export type ReadImage = (
  image: Image,
  caller: AnalysisRequest,
  pointers?: ImagePointers,
) => Promise<Uint8Array>

interface Dependencies {
  readonly outbound: Pick<Outbound, 'get'>
  readonly decodeBase64?: DecodeBase64 | undefined
}

/**
 * @throws {Problem} unreadable_image (400) with a pointer and the reason
 * @throws {Problem} overloaded (503) if too many pictures are being fetched
 * @throws the signal's reason if the client has disconnected
 */
export function createReadImage({ outbound, decodeBase64 = decodeHere }: Dependencies): ReadImage {
  const places = createPlaces(mostFetchesAtOnce)
  return async ({ url, bytes }, caller, pointers = imagePointers) => {
    if (typeof bytes === 'string' && (bytes !== '' || !url)) {
      const decoded = await decodeBase64(bytes, imageLimits.bytes)
      if ('fault' in decoded) throw unreadable(decoded.fault, pointers.bytes)
      return checked(decoded, pointers.bytes)
    }
    if (typeof url === 'string') {
      refuseFaultyAddress(url, pointers.url)
      const fetching = () => fetchPicture(outbound, url, caller, pointers.url)
      return checked(await places.within(caller.accountId, fetching), pointers.url)
    }
    throw unreadable('Must have url or bytes.', pointers.bytes)
  }
}

/**
 * [Note: One answer for every address] If an address is refused, unknown, unreachable, slow, redirects too often or
 * does not return a 200, the response is the same, so that it reveals nothing about this server's network.
 */
async function fetchPicture(
  outbound: Pick<Outbound, 'get'>,
  address: string,
  { signal, lease }: AnalysisRequest,
  pointer: string,
): Promise<Uint8Array> {
  let counted = 0
  const onProgress = (bytes: number) => {
    lease?.take(bytes - counted)
    counted = bytes
  }
  try {
    return await outbound.get({
      address,
      signal,
      onProgress,
      mostRedirects,
      mostBytes: imageLimits.bytes,
      timeoutInMilliseconds: fetchTimeoutInMilliseconds,
    })
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof Problem) throw error
    throw unreadable('No picture could be fetched from this address.', pointer)
  }
}

function refuseFaultyAddress(address: string, pointer: string): void {
  const fault = addressFault(address)
  if (fault !== undefined) throw unreadable(fault, pointer)
}

/** An address's syntax errors, which reveal nothing about any network. */
function addressFault(address: string): string | undefined {
  if (address.length > longestAddress) return `Must have at most ${longestAddress} characters.`
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) return 'Must be an http or https address.'
  if (url.username !== '' || url.password !== '') return 'Must not contain user information.'
  return undefined
}

function checked(bytes: Uint8Array, pointer: string): Uint8Array {
  const walked = walkPicture(bytes)
  if ('fault' in walked) throw unreadable(walked.fault, pointer)
  return bytes
}

function unreadable(message: string, pointer: string): Problem {
  return new Problem('unreadable_image', `The picture cannot be used. ${message}`, {
    errors: [{ pointer, message }],
  })
}
