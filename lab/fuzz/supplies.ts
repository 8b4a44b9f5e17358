import { createHmac, randomBytes } from 'node:crypto'
import { catalogue } from '../../shared/contract/catalogue.ts'
import type { Endpoint } from '../../shared/endpoint.ts'
import type { Random } from './random.ts'
import { createPictures, type Pictures } from './strange-pictures.ts'

/** The data that requests need to pass the first checks: real credentials, real ids and pictures. */
export interface Supplies {
  readonly key: string
  bearer(): string
  readonly pictures: Pictures
  /** A port that the product must never connect to. */
  readonly canaryPort: number
  verificationId(random: Random): string
  collectionId(random: Random): string
  faceId(random: Random): string
  signedQuery(random: Random): string
  sessionToken(random: Random): string
  sessionId(random: Random): string
  /** An invalid token: a forged or expired one, or a session's token. */
  worthlessToken(random: Random): string
  /** Creates new sessions, because submitting ends them. */
  restock(): Promise<void>
}

interface Address {
  readonly origin: string
  readonly apiKey: string
  readonly canaryPort: number
}

const stockOfSessions = 12
const byPath = new Map<string, Endpoint>(
  Object.values(catalogue).flatMap((role) =>
    Object.values<Endpoint>(role).map((endpoint) => [endpoint.path, endpoint] as const),
  ),
)

/** Creates the supplies through the API itself, as far as it supports them. */
export async function createSupplies({ origin, apiKey, canaryPort }: Address): Promise<Supplies> {
  const key = `ApiKey ${apiKey}`
  const ask = askerOf(origin, key)
  const pictures = createPictures()
  const verifications: string[] = []
  const collections = ['fuzz', 'fuzz-2']
  const tokens: string[] = []
  const links: string[] = []
  const sessions: { id: string; token: string }[] = []

  async function openSession(verificationId: string): Promise<void> {
    const signed = await ask('/v1/signature/create', { queryString: `reVerificationId=${verificationId}` })
    const queryString = String(signed?.signedQueryString)
    const opened = await ask('/v1/verification/init-redirect-session', { verificationId, queryString })
    links.unshift(queryString)
    sessions.unshift({ id: String(opened?.verificationSessionId), token: String(opened?.sessionToken) })
    links.length = Math.min(links.length, stockOfSessions)
    sessions.length = Math.min(sessions.length, stockOfSessions)
  }
  async function makeVerification(kind: string): Promise<string> {
    const name = `${kind} ${++made}`
    const answer = await ask('/v1/verification/create', {
      name,
      verificationConfig: configOf(kind, canaryPort),
    })
    return String(answer?.verificationId)
  }

  /** Requests delete, rotate and complete whatever they can, so everything is created again. */
  async function restock(): Promise<void> {
    const kinds = ['passive', 'live', 'everything']
    verifications.splice(0, kinds.length, ...(await Promise.all(kinds.map(makeVerification))))
    for (const verificationId of verifications) await openSession(verificationId)
    for (const collectionId of collections)
      await ask('/v1/collection/create', { collectionId }).catch(() => {})
    tokens[0] = String((await ask('/v1/token/get'))?.token)
  }
  let made = 0
  await restock()
  const image = { bytes: pictures.person }
  const indexed = await ask('/v1/face/index', { image, collectionId: collections[0] })

  const worthless = worthlessTokens(tokens[0]!)
  return {
    key,
    bearer: () => `Bearer ${tokens[0]}`,
    pictures,
    canaryPort,
    verificationId: (random) => random.pick(verifications),
    collectionId: (random) => random.pick(collections),
    faceId: () => String(indexed?.faceId ?? 'face'),
    signedQuery: (random) => random.pick(links),
    sessionToken: (random) => `Bearer ${random.pick(sessions).token}`,
    sessionId: (random) => random.pick(sessions).id,
    worthlessToken: (random) => random.pick(worthless),
    restock,
  }
}

/** Returns undefined if the endpoint does not exist. */
function askerOf(origin: string, authorization: string) {
  return async (path: string, body?: unknown): Promise<Record<string, unknown> | undefined> => {
    const endpoint = byPath.get(path)
    if (endpoint === undefined) return undefined
    const answer = await fetch(`${origin}${path}`, {
      method: endpoint.method,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as Record<string, unknown>
  }
}

function configOf(name: string, canaryPort: number): unknown {
  if (name === 'passive') return {}
  const liveness = { type: 'Verification', challengeType: 'Advanced', allowAlternative: true }
  const all = {
    age: { type: 'CalculationOnly' },
    gender: { type: 'CalculationOnly' },
    faceRecognition: { type: 'UniqueMatchVerification' },
  }
  return {
    verifierConfigs: name === 'live' ? { liveness } : { liveness, ...all },
    webhookConfig: { eventCallbackUrl: `http://127.0.0.1:${canaryPort}/hook` },
  }
}

function worthlessTokens(token: string): string[] {
  const [head, claims, seal] = token.split('.') as [string, string, string]
  return [
    'a.b.c',
    '..',
    `${head}.${claims}`,
    `${head}.${claims}.${seal.slice(0, -2)}AA`,
    `${unsigned({ alg: 'none', typ: 'at+jwt' })}.${claims}.`,
    forged(claims),
    `${head}.${unsigned({ exp: 1, sub: 'x', aud: 'EU' })}.${seal}`,
    'x'.repeat(4096),
  ]
}

function unsigned(part: unknown): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}

/** Signed with a made-up secret, in the hope that the server trusts the header. */
function forged(claims: string): string {
  const message = `${unsigned({ alg: 'HS256', typ: 'at+jwt' })}.${claims}`
  return `${message}.${createHmac('sha256', randomBytes(32)).update(message).digest('base64url')}`
}
