import { SignJWT } from 'jose'
import { call, type Fetch } from '#shared/call.ts'
import { assertionGrant, kioskTypes } from '#shared/contract/kiosk/kiosk-capture.ts'
import { pairKiosk, submitKiosk, syncKiosk, tokenKiosk } from '#shared/contract/kiosk/kiosk-device.ts'
import type { BodyOf, ResultOf } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'
import { fetchWithin } from '#web/capture/sending/fetch-within.ts'
import type { KioskClock } from '#web/kiosk/core/kiosk-clock.ts'

export type SyncAnswer = ResultOf<typeof syncKiosk>
export type SubmitAnswer = ResultOf<typeof submitKiosk>

/** The kiosk's identity on the server, and its key. */
export interface Credentials {
  readonly kioskId: string
  readonly issuer: string
  readonly privateKey: CryptoKey
}

/** The kiosk's calls. Any of them may throw the server's Problem or a network error. */
export type KioskClient = ReturnType<typeof createKioskClient>

interface Options {
  readonly origin: string
  readonly clock: KioskClock
  readonly credentials: () => Promise<Credentials | undefined>
}

const assertionLifeInSeconds = 55
/** A token that expires within this time is replaced, because it could expire in transit. */
const spareInSeconds = 30
const quickMilliseconds = 20_000
const heavyMilliseconds = 120_000
/** The header only has whole seconds, so smaller differences are ignored. */
const leastDriftMilliseconds = 5000

/** Creates a client for one server. It obtains tokens, and corrects the clock based on the server's answers. */
export function createKioskClient({ origin, clock, credentials }: Options) {
  let token: { readonly value: string; readonly until: number } | undefined
  /** Incremented when a pairing ends, so that a token requested earlier is not used for the next pairing. */
  let ended = 0
  const quick = datedFetch(clock, quickMilliseconds)
  const heavy = datedFetch(clock, heavyMilliseconds)

  const fetchToken = async () => {
    const endedBefore = ended
    const known = await credentials()
    if (known === undefined) throw new Problem('unauthenticated', 'The kiosk is not paired.')
    const body = { grant_type: assertionGrant, assertion: await signAssertion(known, clock) } as const
    const { access_token, expires_in } = await call(quick, origin, tokenKiosk, { body })
    if (ended === endedBefore)
      token = { value: access_token, until: clock.own() + (expires_in - spareInSeconds) * 1000 }
    return access_token
  }
  const bearer = async () => {
    if (token !== undefined && clock.own() < token.until) return token.value
    return fetchToken().catch((error) => {
      // Retry once with the corrected time.
      if (error instanceof Problem && error.code === 'clock_drift') return fetchToken()
      throw error
    })
  }
  const authorised = async <T>(ask: (credential: { bearer: string }) => Promise<T>): Promise<T> => {
    try {
      return await ask({ bearer: await bearer() })
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 401 || token === undefined) throw error
      token = undefined
      return ask({ bearer: await bearer() })
    }
  }

  return {
    pair: (body: BodyOf<typeof pairKiosk>) => timed(clock, () => call(quick, origin, pairKiosk, { body })),
    sync: (body: Omit<BodyOf<typeof syncKiosk>, 'clockUtcTime'>) =>
      authorised((credential) =>
        timed(clock, () => {
          const clockUtcTime = new Date(clock.own()).toISOString()
          return call(quick, origin, syncKiosk, { credential, body: { ...body, clockUtcTime } })
        }),
      ),
    submit: (body: BodyOf<typeof submitKiosk>) =>
      authorised((credential) => call(heavy, origin, submitKiosk, { credential, body })),
    forget() {
      ended++
      token = undefined
    },
  }
}

/** A fetch that also reads the time from rejected requests, because a wrong clock may have caused the rejection. */
function datedFetch(clock: KioskClock, milliseconds: number): Fetch {
  const ask = fetchWithin(milliseconds)
  return async (address, init) => {
    const askedAt = clock.own()
    const answer = await ask(address, init)
    const date = Date.parse(answer.headers.get('date') ?? '')
    const isFar = Math.abs(date - clock.now()) > leastDriftMilliseconds // false if there is no date
    if (answer.status === 401 && isFar) clock.hear(date, askedAt, clock.own())
    return answer
  }
}

/** Calls the server and reads the time from its answer. */
async function timed<T extends { utcTime: string }>(clock: KioskClock, ask: () => Promise<T>): Promise<T> {
  const askedAt = clock.own()
  const answer = await ask()
  clock.hear(Date.parse(answer.utcTime), askedAt, clock.own())
  return answer
}

function signAssertion({ kioskId, issuer, privateKey }: Credentials, clock: KioskClock): Promise<string> {
  const now = Math.floor(clock.now() / 1000)
  return new SignJWT()
    .setProtectedHeader({ alg: 'ES256', typ: kioskTypes.assertion, kid: kioskId })
    .setIssuer(kioskId)
    .setSubject(kioskId)
    .setAudience(issuer)
    .setIssuedAt(now)
    .setExpirationTime(now + assertionLifeInSeconds)
    .setJti(crypto.randomUUID())
    .sign(privateKey)
}
