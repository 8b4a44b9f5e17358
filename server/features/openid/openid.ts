import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { Provider } from 'oidc-provider'
import type { Accounts } from '#server/features/accounts/accounts.ts'
import { environmentOf } from '#server/features/callers/callers.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'
import type { Environment } from '#shared/contract/environment.ts'
import { createEntityStore, type EntityStore } from './adapter.ts'
import { type ClientStore, createClientStore } from './clients/client-store.ts'
import { createTrials } from './clients/trials.ts'
import { createOpenidClients, type OpenidClients } from './handlers.ts'
import { createIssuer, type Issuer } from './issuer.ts'
import { createOpenidKeys, signingJwks, signingKids } from './keys.ts'
import type { OpeningCounter } from './limits/openings.ts'
import { createNamedEntities } from './named-entities.ts'
import { createPersonSignIns, type PersonSignIns } from './people/person-sign-ins.ts'
import { createSubjects } from './people/subjects.ts'
import { loadLibrary } from './protocol/library.ts'
import type { NoteRefusal } from './protocol/refusals.ts'
import { createRefuseRequest } from './request-rules.ts'
import { isOfBrowser, type OpenidRequest, readRequest, takesSecrets } from './requests.ts'
import { type BrowserRequest, beginVisit, endVisit } from './sign-in.ts'
import { createVisitStore, type VisitStore } from './visit-store.ts'
import { createVisits, type VisitPorts } from './visits.ts'

export type { OpenidClient } from './clients/client-store.ts'
export type { OpenidClients } from './handlers.ts'
export type { OpeningCounter } from './limits/openings.ts'
export { mostRequestBytes } from './limits/request-limits.ts'
export { type ErrorKind, errorPage, type Refusal, stylePath } from './pages/error-page.ts'
export { SignInOver } from './sign-in-over.ts'

/** The live issuer's path. The test issuers' paths begin with it. */
const openidPath = '/openid'
const testPath = `${openidPath}/test`

/** A request to one of the issuer's paths. */
export type IssuerRequest = OpenidRequest & {
  readonly environment: Environment
  /** Includes the issuer's path. */
  readonly route: string
  /** True if the request comes from a person's browser instead of a site's server. */
  readonly isOfBrowser: boolean
  /** True if clients authenticate at this path. */
  readonly takesSecrets: boolean
}

/** A request that is passed to the provider. */
interface HandedRequest {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  /** Undefined for a request without a body. */
  readonly body: Buffer | undefined
  readonly counter: OpeningCounter
  readonly noteRefusal: NoteRefusal
}

/** Passes a request to the provider, which answers it. */
type HandOver = (request: HandedRequest) => Promise<void>

/** The deployment as an OpenID provider. */
export interface Openid {
  readonly clients: OpenidClients
  readonly isOn: boolean
  /** The provider request for a path; undefined for other paths, and for all paths if the provider is off. */
  locate(path: string): IssuerRequest | undefined
  /** Prepares the provider for a request before any of the response is written. @throws if it has no keys, or the store fails */
  prepare(environment: Environment): Promise<HandOver>
  /** @returns the address to continue at @throws if this browser did not begin a sign-in with this ID */
  begin(environment: Environment, request: BrowserRequest): Promise<string>
  /** @returns the address to continue at @throws if this browser did not begin a sign-in with this ID */
  end(environment: Environment, request: BrowserRequest): Promise<string>
  readonly signIns: PersonSignIns
}

interface Dependencies
  extends Omit<VisitPorts, 'accounts' | 'clients' | 'subjects' | 'visitStore' | 'pushedRequests'> {
  readonly store: Store
  readonly keyRing: KeyRing
  readonly accounts: Pick<Accounts, 'find' | 'personDigest'>
  readonly isOn: boolean
  /** True if there are trusted device manufacturers, so that a visit can reach the `high` assurance level. */
  readonly canReachHigh: boolean
  readonly now: Clock
  readonly onFailure: (error: unknown) => void
}

export function createOpenid(services: Dependencies): Openid {
  const { store, keyRing, accounts, verifications, origin, isOn, now } = services
  const kept = createClientStore(store, now)
  const trials = createTrials(store, kept, now)
  const clients = { find: async (id: string) => (await kept.find(id)) ?? (await trials.find(id)) }
  const subjects = createSubjects(store, accounts)
  const visitStore = createVisitStore(store, keyRing)
  const named = createNamedEntities({ store, keyRing, accounts, clients })
  const entitiesOf = (environment: Environment) => createEntityStore(store, keyRing, environment, named)
  const pushedRequests = (environment: Environment) => entitiesOf(environment)('PushedAuthorizationRequest')
  const visits = createVisits({ ...services, clients, subjects, visitStore, pushedRequests })
  const issuerOf = (environment: Environment) =>
    `${origin()}${environment === 'live' ? openidPath : testPath}`
  const providerOf = createProviders({ ...services, clients, visitStore, issuerOf, entitiesOf })
  return {
    clients: createOpenidClients({ accounts, verifications, clients: kept, trials, isOn, issuerOf }),
    isOn,
    locate: (path) => (isOn ? locate(path) : undefined),
    async prepare(environment) {
      const { provider, openings, refusals, callback } = await providerOf(environment)
      return ({ req, res, body, counter, noteRefusal }) => {
        openings.expect(req, counter)
        refusals.expect(req, noteRefusal)
        if (body !== undefined) putBack(req, body)
        return callback(under(provider, req), res)
      }
    },
    async begin(environment, request) {
      return beginVisit((await providerOf(environment)).provider, visits, environment, request)
    },
    async end(environment, request) {
      return endVisit((await providerOf(environment)).provider, visits, environment, request)
    },
    signIns: createPersonSignIns({ store, keyRing, clients: kept, subjects, visitStore, named }),
  }
}

function locate(path: string): IssuerRequest | undefined {
  const isTest = path.startsWith(`${testPath}/`)
  const base = isTest ? testPath : openidPath
  if (!path.startsWith(`${base}/`)) return undefined
  const found = readRequest(path.slice(base.length))
  if (found === undefined) return undefined
  // Derived from the route below the issuer, which the full route hides.
  const traits = { isOfBrowser: isOfBrowser(found), takesSecrets: takesSecrets(found) }
  return { ...found, ...traits, environment: isTest ? 'test' : 'live', route: `${base}${found.route}` }
}

/**
 * [Note: Where we are is ours to say] The provider builds addresses from the request's host. We always pass it our public
 * address instead, so that a forged host cannot produce a document that leads elsewhere.
 */
function under(provider: Provider, req: IncomingMessage): IncomingMessage {
  const { pathname, host, protocol } = new URL(provider.issuer)
  const full = req.url ?? '/'
  req.headers.host = host
  req.headers['x-forwarded-host'] = host
  req.headers['x-forwarded-proto'] = protocol.slice(0, -1)
  return Object.assign(req, { originalUrl: full, url: full.slice(pathname.length) })
}

/** The library reads bodies from the request, so it gets back the bytes that were read to enforce the limit. */
function putBack(req: IncomingMessage, body: Buffer): void {
  Object.defineProperties(req, {
    readable: { value: true },
    iterator: { value: () => Readable.from([body]).iterator() },
  })
}

interface RunningIssuer extends Issuer {
  readonly callback: (req: IncomingMessage, res: ServerResponse) => Promise<void>
  /** The keys that the provider knows, and the one that signs. */
  readonly keys: string
}

interface ProviderParts extends Dependencies {
  readonly clients: Pick<ClientStore, 'find'>
  readonly visitStore: VisitStore
  readonly issuerOf: (environment: Environment) => string
  readonly entitiesOf: (environment: Environment) => EntityStore
}

/** The providers, each created on first use and again after its keys rotate. */
function createProviders(parts: ProviderParts): (environment: Environment) => Promise<RunningIssuer> {
  const { store, keyRing, accounts, verifications, clients, canReachHigh, now } = parts
  const keysOf = createOpenidKeys(store, keyRing, now)
  const running = new Map<Environment, RunningIssuer>()

  /** [Note: A client goes with its verification] */
  const usableClient = (environment: Environment) => async (clientId: string) => {
    const client = await clients.find(clientId)
    const account = client && (await accounts.find(client.accountId))
    if (client === undefined || account === undefined || environmentOf(account) !== environment)
      return undefined
    return (await verifications.find(client.accountId, client.verificationId)) === undefined
      ? undefined
      : client
  }

  return async (environment) => {
    const keys = keysOf[environment]
    const known = (await signingKids(keys)).join()
    const found = running.get(environment)
    if (found?.keys === known) return found
    const library = await loadLibrary()
    const issuer = createIssuer({
      ...parts,
      library,
      environment,
      issuer: parts.issuerOf(environment),
      jwks: await signingJwks(keys),
      entities: parts.entitiesOf(environment),
      usableClient: usableClient(environment),
      refuse: createRefuseRequest(library.errors, { clients, verifications, canReachHigh }),
    })
    const made = { ...issuer, callback: issuer.provider.callback(), keys: known }
    running.set(environment, made)
    return made
  }
}
