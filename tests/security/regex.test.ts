import { describe, expect, test } from 'vitest'
import { decodedNames, readSignedQuery } from '#server/features/links/query-signature.ts'
import { readQuery } from '#server/features/links/signatures.ts'
import { redirectAddress } from '#server/features/sessions/results/redirect.ts'
import { networkOf } from '#server/platform/http/limits/network.ts'
import { decodeBase64 } from '#server/platform/http/requests/base64/base64.ts'
import { measureJson } from '#server/platform/http/requests/json-size.ts'
import { requestIdFrom } from '#server/platform/http/requests/request-id.ts'
import { createLog } from '#server/platform/telemetry/log.ts'
import { limits } from '#shared/contract/sessions/session.ts'
import { Problem } from '#shared/problem.ts'
import { addressFault, isLoopbackAddress } from '#shared/web-address.ts'
import { readLink } from '#web/capture/flow/link.ts'

const length = 1024 * 1024
/** Processor time, whatever else the machine is doing. On a slow machine, an eighth of the text must still take far less. */
const mostMilliseconds = 250
const quickMilliseconds = 50
/** For the whole text, linear reading takes eight times as long, and quadratic reading 64 times as long. */
const mostGrowth = 24
const tries = 25

/** One-megabyte texts that make a pattern restart or backtrack over and over. */
const hostile = [
  'a',
  'A',
  '=',
  '&',
  '?',
  ' ',
  '[',
  '%',
  ':',
  '/',
  'a-',
  'a.',
  'a@',
  're',
  '1.',
  'reSignature=',
  '&reSignature=0',
  'https://',
].flatMap((part) => [
  part.repeat(length / part.length),
  `https://${part.repeat(length / part.length)}`,
  `${part.repeat(length / part.length)}\n!`,
])

/** At `debug`, because the log holds back repeated failures without reading them. */
const log = createLog('debug', { write: () => {} })
/** Only the time matters. Most of the texts are rejected, and rightly so. */
const refusing = (read: (text: string) => unknown) => (text: string) => {
  try {
    read(text)
  } catch (error) {
    expect(error).toBeInstanceOf(Problem)
  }
}
const millisecondsSince = (began: NodeJS.CpuUsage) => {
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1000
}
/** The fastest of several attempts. Stops at the first one that is fast enough. */
function leastMilliseconds(read: () => unknown, enough: number, most = tries): number {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < most && least >= enough; i++) {
    const began = process.cpuUsage()
    read()
    least = Math.min(least, millisecondsSince(began))
  }
  return least
}
const location = (text: string) => ({
  pathname: `/verification/${text}`,
  search: `?${text}`,
  hash: `#${text}`,
})

describe('a megabyte of anything is read in time that grows linearly with its length', () => {
  test.each<[string, (text: string) => unknown]>([
    ['a query', refusing(readQuery)],
    ['a signed query', readSignedQuery],
    [
      'a signature of nothing',
      (text) => readSignedQuery(`${text}&reSignature=${'0'.repeat(64)}`.slice(-8192)),
    ],
    ['the names of a query', (text) => decodedNames(text.slice(0, 8192))],
    ['an address', addressFault],
    ['a loopback address', isLoopbackAddress],
    ['a picture', (text) => decodeBase64(text, 10 * length)],
    ['a frame', (bytes) => decodeBase64(bytes, limits.frameBytes)],
    ['JSON', measureJson],
    ['the address of a client', networkOf],
    ['a request id', requestIdFrom],
    ['the message of an error', (text) => log.debug({ requestId: '', error: text }, 'It failed')],
    ['the way back', (text) => redirectAddress(`https://a.example/?a=${text.slice(0, 2048)}`, [], undefined)],
    ['the address of the page', (text) => readLink(location(text))],
  ])('%s', (_name, read) => {
    for (const text of hostile) {
      const eighth = text.slice(0, length / 8)
      // Quadratic reading of the whole text would take minutes, so it is found out on the eighth.
      const early = leastMilliseconds(() => read(eighth), mostMilliseconds, 3)
      expect([text.slice(0, 30), early < mostMilliseconds]).toEqual([text.slice(0, 30), true])
      // If the whole text is fast, there is nothing to compare.
      const first = leastMilliseconds(() => read(text), quickMilliseconds, 1)
      if (first < quickMilliseconds) continue
      const linear = mostGrowth * leastMilliseconds(() => read(eighth), 0)
      const enough = Math.max(quickMilliseconds, Math.min(linear, mostMilliseconds))
      const least = Math.min(
        first,
        leastMilliseconds(() => read(text), enough),
      )
      expect([text.slice(0, 30), least < mostMilliseconds]).toEqual([text.slice(0, 30), true])
      if (least < quickMilliseconds) continue
      expect([text.slice(0, 30), (mostGrowth * least) / linear]).toEqual([
        text.slice(0, 30),
        expect.toSatisfy((growth: number) => growth < mostGrowth),
      ])
    }
  })
})
