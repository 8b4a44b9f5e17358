import * as v from 'valibot'
import { actions } from '#shared/contract/session.ts'
import { isAllowEntry } from './http/allow-list.ts'

const loopbackHosts = ['127.0.0.1', '::1', 'localhost']

const flag = v.pipe(
  v.picklist(['true', 'false', '1', '0', 'on', 'off']),
  v.transform((text) => ['true', '1', 'on'].includes(text)),
)

function wholeNumber(minimum: number, maximum: number) {
  return v.pipe(
    v.string(),
    v.regex(/^\d+$/, 'Must be a whole number.'),
    v.transform(Number),
    v.minValue(minimum),
    v.maxValue(maximum),
  )
}

function listOf<T extends string>(allowed: readonly T[]) {
  return v.pipe(
    v.string(),
    v.transform((text) => text.split(',').map((name) => name.trim())),
    v.array(v.picklist(allowed)),
    v.minLength(1),
  )
}

const httpOrigin = v.pipe(
  v.string(),
  v.regex(/^https?:\/\/[^/?#@\s]+$/, 'Must be an origin such as https://a.example.'),
)

const allowEntries = v.pipe(
  v.string(),
  v.transform((text) => text.split(/[\s,]+/).filter((entry) => entry !== '')),
  v.array(
    v.pipe(
      v.string(),
      v.check(isAllowEntry, 'Must be loopback, a host, an IP or a network such as 10.0.0.0/8.'),
    ),
  ),
)

const environment = v.object({
  /** The port to listen on; 0 takes a free one. */
  PORT: v.optional(wholeNumber(0, 65_535), '8080'),
  HOST: v.optional(v.string(), '127.0.0.1'),
  DATA_DIR: v.optional(v.string(), './data'),
  /** The built pages; found beside the server where it is built. */
  WEB_DIR: v.optional(v.string()),
  /** `lmdb`, the embedded store in DATA_DIR. */
  STORE: v.optional(v.picklist(['lmdb']), 'lmdb'),
  REGION: v.optional(v.picklist(['EU', 'US']), 'EU'),
  /** The origin under which the public reaches this server. */
  PUBLIC_URL: v.optional(
    v.pipe(
      v.string(),
      v.transform((text) => text.replace(/\/$/, '')),
      httpOrigin,
    ),
  ),
  /** Whether webhooks may go to receivers on this machine. True where the server itself listens on loopback. */
  WEBHOOK_ALLOW_LOOPBACK: v.optional(flag),
  /** Where pictures may be fetched besides the public internet: `loopback`, hosts, networks; nowhere by default. */
  IMAGE_URL_ALLOW: v.optional(allowEntries, ''),
  /**
   * The actions that a challenge may draw from. [Note: Measured actions by default] Blinks have not been tried on
   * footage, and a photograph that comes closer looks as if the person did: both are drawn only where asked for.
   */
  CHALLENGE_ACTIONS: v.optional(listOf(actions), 'turnLeft,turnRight,lookUp,smile'),
  /** Failed sessions an hour per link, external id and address; `off` is the default on loopback. */
  ATTEMPT_LIMITS: v.optional(v.union([v.literal('off'), wholeNumber(1, 1000)])),
  /** How many faces a collection may hold before verify-duplicate turns a new one away. */
  COLLECTION_LIMIT: v.optional(wholeNumber(1, 10_000_000), '100000'),
  /** Origins that may embed the capture page, separated by spaces. */
  EMBED_ORIGINS: v.optional(
    v.pipe(
      v.string(),
      v.transform((text) => text.split(/\s+/).filter((origin) => origin !== '')),
      v.array(httpOrigin),
    ),
    '',
  ),
  /** The master secret, at least 32 characters; without it a file in DATA_DIR holds one. */
  SECRET: v.optional(v.pipe(v.string(), v.minLength(32))),
  ANALYSIS_THREADS: v.optional(wholeNumber(1, 64), '1'),
  /** Whether the demo is served; true where the server listens on loopback. */
  DEMO: v.optional(flag),
  LOG_LEVEL: v.optional(v.picklist(['silent', 'error', 'warn', 'info']), 'warn'),
})

/** What the operator has set, with every default filled in. */
export interface Settings {
  readonly port: number
  readonly host: string
  readonly dataDir: string
  readonly webDir: string | undefined
  readonly region: 'EU' | 'US'
  readonly publicUrl: string | undefined
  readonly listensOnLoopback: boolean
  readonly webhookAllowLoopback: boolean
  readonly imageUrlAllow: readonly string[]
  readonly challengeActions: readonly (typeof actions)[number][]
  /** Failed sessions an hour, or undefined without a limit. */
  readonly attemptLimit: number | undefined
  readonly collectionLimit: number
  readonly embedOrigins: readonly string[]
  readonly secret: string | undefined
  readonly analysisThreads: number
  readonly demo: boolean
  readonly logLevel: 'silent' | 'error' | 'warn' | 'info'
}

/** Reads the settings; the only reader of the environment. @throws naming each setting that is wrong */
export function readSettings(env: Record<string, string | undefined> = process.env): Settings {
  const parsed = v.safeParse(environment, withoutEmpty(env))
  if (!parsed.success) {
    const faults = parsed.issues.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`)
    throw new Error(`The settings are wrong. ${faults.join(' ')}`)
  }
  return fromEnvironment(parsed.output)
}

function fromEnvironment(env: v.InferOutput<typeof environment>): Settings {
  const listensOnLoopback = loopbackHosts.includes(env.HOST)
  const defaultLimit = listensOnLoopback ? 'off' : 5
  const limit = env.ATTEMPT_LIMITS ?? defaultLimit
  return {
    port: env.PORT,
    host: env.HOST,
    dataDir: env.DATA_DIR,
    webDir: env.WEB_DIR,
    region: env.REGION,
    publicUrl: env.PUBLIC_URL,
    listensOnLoopback,
    webhookAllowLoopback: env.WEBHOOK_ALLOW_LOOPBACK ?? listensOnLoopback,
    imageUrlAllow: env.IMAGE_URL_ALLOW,
    challengeActions: [...new Set(env.CHALLENGE_ACTIONS)],
    attemptLimit: limit === 'off' ? undefined : limit,
    collectionLimit: env.COLLECTION_LIMIT,
    embedOrigins: env.EMBED_ORIGINS,
    secret: env.SECRET,
    analysisThreads: env.ANALYSIS_THREADS,
    demo: env.DEMO ?? listensOnLoopback,
    logLevel: env.LOG_LEVEL,
  }
}

function withoutEmpty(env: Record<string, string | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
}
