import { join } from 'node:path'
import * as v from 'valibot'
import { type Pack, packNames, packs, withFormer } from '#models/rules/packs.ts'
import { hasNetworksFor } from '#server/features/packs/packs.ts'
import type { RateLimitSettings } from '#server/platform/http/limits/rate-limits.ts'
import { type Listener, readListen } from '#server/platform/listening/listeners.ts'
import { actions } from '#shared/contract/sessions/session.ts'
import { hosts, type Role } from '#shared/hosts.ts'
import { readSecretFiles } from './secret-files.ts'
import {
  allowEntries,
  chosenLimit,
  flag,
  httpOrigin,
  limitAnHour,
  listOf,
  oneOf,
  publicOrigin,
  rate,
  secret,
  separatedBySpaces,
  storeAddress,
  wholeNumber,
  withoutEmpty,
} from './setting-values.ts'
import { type UpkeepSettings, upkeepEntries, upkeepOf } from './upkeep-settings.ts'

const defaultPort = 8080
const loopbackHosts = ['127.0.0.1', '::1', 'localhost']

const everyRole = Object.keys(hosts) as Role[]

const environment = v.object({
  ...upkeepEntries,
  /** The port to listen on; 0 takes a free one. */
  PORT: v.optional(wholeNumber(0, 65_535)),
  HOST: v.optional(v.string(), '127.0.0.1'),
  /** The roles that this process serves, on one port. */
  ROLES: v.optional(listOf(everyRole)),
  /** Several ports, each with its roles, in place of PORT and ROLES: `8080:configuration,security;8081:liveness`. */
  LISTEN: v.optional(
    v.pipe(
      v.string(),
      v.transform(readListen),
      v.custom<NonNullable<ReturnType<typeof readListen>>>(
        (listeners) => listeners !== undefined,
        'Must be PORT:role,role with a semicolon between ports; each port and each role once.',
      ),
    ),
  ),
  /**
   * The networks: `standard`, `conservative` for only those whose weights have an origin that is written down (roles that
   * need others are not served there), or `extended`, which an operator installs.
   */
  MODEL_PACK: v.optional(oneOf(packNames), 'standard'),
  /** The pack before, whose embeddings faces from then have: they are found by them, and get those of MODEL_PACK. */
  FORMER_MODEL_PACK: v.optional(oneOf(packNames)),
  DATA_DIR: v.optional(v.string(), './data'),
  /** Where packs of networks are installed; `packs` in DATA_DIR where not given. */
  PACKS_DIR: v.optional(v.string()),
  /** The built pages; found next to the built server. */
  WEB_DIR: v.optional(v.string()),
  OFFLINE_PAGES: v.optional(flag, 'true'),
  /** `lmdb`, the embedded store in DATA_DIR, or the address of a Redis or PostgreSQL server, which processes may share. */
  STORE: v.optional(storeAddress, 'lmdb'),
  REGION: v.optional(oneOf(['EU', 'US']), 'EU'),
  /** The origin under which the public reaches this server. */
  PUBLIC_URL: v.optional(publicOrigin),
  /** The public origin of the configuration role, and so of the pages, where it is another one. */
  CONFIGURATION_URL: v.optional(publicOrigin),
  /** The public origin of the security role, which every token names as its issuer, where it is another one. */
  SECURITY_URL: v.optional(publicOrigin),
  /** How many proxies in front write X-Forwarded-For; 0 does not read it. */
  TRUST_PROXY: v.optional(wholeNumber(0, 10), '0'),
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
  ATTEMPT_LIMITS: v.optional(limitAnHour),
  /** Sessions an hour that look forged, per link and external id; `off` is the default on loopback. */
  FORGERY_LIMITS: v.optional(limitAnHour),
  /**
   * How many faces a collection may hold before verify-duplicate turns a new one away. [Note: Only verify-duplicate has a
   * limit] It is the one operation that can say so.
   */
  COLLECTION_LIMIT: v.optional(wholeNumber(1, 10_000_000), '100000'),
  /** How many faces of all collections together a process keeps in memory, some 2.4 kB each; one larger still works. */
  FACES_IN_MEMORY: v.optional(wholeNumber(1, 100_000_000), '500000'),
  /** Threads that hold the faces of collections of more than a few hundred, and search them side by side. */
  SEARCH_THREADS: v.optional(wholeNumber(1, 64), '1'),
  /** Analyses a minute for each key. These four are `off` by default on loopback. */
  RATE_LIMIT_ANALYSES: v.optional(rate),
  /** Other requests a minute for each key. */
  RATE_LIMIT_REQUESTS: v.optional(rate),
  /** Sessions that an address may open or take over a minute. */
  RATE_LIMIT_INITS: v.optional(rate),
  /** Credentials that an address may get wrong a minute. */
  RATE_LIMIT_LOGINS: v.optional(rate),
  /** Origins that may embed the capture page, separated by spaces. */
  EMBED_ORIGINS: v.optional(v.pipe(v.string(), v.transform(separatedBySpaces), v.array(httpOrigin)), ''),
  /** Origins whose pages may call the analysis roles and verify, separated by spaces; `*` for any. */
  CORS_ORIGINS: v.optional(
    v.pipe(
      v.string(),
      v.transform(separatedBySpaces),
      v.array(v.union([v.literal('*'), httpOrigin], 'Must be origins such as https://a.example, or *.')),
    ),
    '',
  ),
  /** The master secret, at least 32 characters; without it a file in DATA_DIR holds one. */
  SECRET: v.optional(secret),
  /** The master secret from before a change, until the store is resealed. */
  SECRET_PREVIOUS: v.optional(secret),
  ANALYSIS_THREADS: v.optional(wholeNumber(1, 64), '1'),
  /** MiB of bodies, fetched pictures and answers that the process holds at once; an account half of it, a body 32. */
  MEMORY_FOR_BODIES: v.optional(wholeNumber(64, 65_536), '128'),
  /** Whether the demo is served; true where the server listens on loopback. */
  DEMO: v.optional(flag),
  LOG_LEVEL: v.optional(oneOf(['silent', 'error', 'warn', 'info', 'debug']), 'warn'),
  /** What a collector of figures sends as a bearer to read /metrics without a key of an administrator. */
  METRICS_TOKEN: v.optional(
    v.pipe(v.string(), v.regex(/^[\w.~+/=-]{16,}$/, 'Must have 16 or more of A-Z a-z 0-9 . _ ~ + / = -.')),
  ),
})

/** The name of every setting. */
export const settingNames: readonly string[] = Object.keys(environment.entries)

type Environment = v.InferOutput<typeof environment>

/** What the operator has set, with every default filled in. */
export interface Settings {
  readonly listeners: readonly Listener[]
  readonly host: string
  readonly pack: Pack
  readonly dataDir: string
  /** Where packs are installed. */
  readonly packsDir: string
  /** Of the Redis or PostgreSQL server that is the store, or undefined where it is the embedded one. May hold a password. */
  readonly storeAddress: string | undefined
  readonly webDir: string | undefined
  /** Whether devices keep the page for the time without a network; else what they kept is taken back. */
  readonly offlinePages: boolean
  readonly region: 'EU' | 'US'
  /** The public origins, as far as they were set. */
  readonly publicUrl: string | undefined
  readonly configurationUrl: string | undefined
  readonly securityUrl: string | undefined
  /** Whether people reach any of it by https. */
  readonly isHttps: boolean
  readonly trustedProxies: number
  readonly listensOnLoopback: boolean
  readonly webhookAllowLoopback: boolean
  readonly imageUrlAllow: readonly string[]
  readonly challengeActions: readonly (typeof actions)[number][]
  /** Failed sessions an hour, or undefined without a limit. */
  readonly attemptLimit: number | undefined
  /** Sessions an hour that look forged, or undefined without a limit. */
  readonly forgeryLimit: number | undefined
  readonly collectionLimit: number
  readonly facesInMemory: number
  readonly searchThreads: number
  readonly rateLimits: RateLimitSettings
  readonly embedOrigins: readonly string[]
  /** `*` among them stands for any origin. */
  readonly corsOrigins: readonly string[]
  readonly secret: string | undefined
  readonly secretPrevious: string | undefined
  readonly analysisThreads: number
  readonly mostBytesUnderWay: number
  readonly demo: boolean
  readonly logLevel: 'silent' | 'error' | 'warn' | 'info' | 'debug'
  readonly metricsToken: string | undefined
  /** Names of settings whose files every user of the machine can read. */
  readonly openSecretFiles: readonly string[]
  readonly upkeep: UpkeepSettings
}

/** [Note: Ours] The limit on other requests is far above normal use: it stops a runaway loop. A minute; the others an hour. */
const usualRates = { analyses: 600, requests: 3000, inits: 30, failedLogins: 20 } as const
const usualLimits = { attempts: 5, forgeries: 2 } as const

/** Reads the settings; the only reader of the environment. @throws naming each setting that is wrong */
export function readSettings(env: Record<string, string | undefined> = process.env): Settings {
  const { given, openFiles } = readSecretFiles(env)
  const parsed = v.safeParse(environment, given)
  if (!parsed.success) {
    const faults = parsed.issues.map((issue) => `  ${issue.path?.[0].key}: ${issue.message}`)
    throw new Error(['The settings are wrong.', ...new Set(faults)].join('\n'))
  }
  return { ...fromEnvironment(parsed.output), openSecretFiles: openFiles }
}

/**
 * The settings of a start with `--https`, for a phone in the same network: everybody in it, and the demo, where nothing else was set.
 * @throws where an address of the public is set, whose certificate somebody has to vouch for
 */
export function readTrialSettings(env: Record<string, string | undefined> = process.env): Settings {
  const settings = readSettings({ HOST: '0.0.0.0', DEMO: 'true', ...withoutEmpty(env) })
  const given = ['PUBLIC_URL', 'CONFIGURATION_URL', 'SECURITY_URL'].find((name) => env[name])
  if (given === undefined) return settings
  throw new Error(
    `--https is for a network of one's own, and ${given} is set: a public server has a proxy with TLS in front. Leave out one of the two.`,
  )
}

function fromEnvironment(env: Environment): Omit<Settings, 'openSecretFiles'> {
  const listensOnLoopback = loopbackHosts.includes(env.HOST)
  const limitOf: LimitOf = (given, usual) => chosenLimit(given, usual, listensOnLoopback)
  return {
    listeners: listenersOf(env),
    host: env.HOST,
    pack: packOf(env),
    dataDir: env.DATA_DIR,
    packsDir: env.PACKS_DIR ?? join(env.DATA_DIR, 'packs'),
    storeAddress: env.STORE === 'lmdb' ? undefined : env.STORE,
    webDir: env.WEB_DIR,
    offlinePages: env.OFFLINE_PAGES,
    region: env.REGION,
    publicUrl: env.PUBLIC_URL,
    configurationUrl: env.CONFIGURATION_URL ?? env.PUBLIC_URL,
    securityUrl: env.SECURITY_URL ?? env.PUBLIC_URL,
    isHttps: [env.PUBLIC_URL, env.CONFIGURATION_URL, env.SECURITY_URL].some((url) =>
      url?.startsWith('https:'),
    ),
    trustedProxies: env.TRUST_PROXY,
    listensOnLoopback,
    webhookAllowLoopback: env.WEBHOOK_ALLOW_LOOPBACK ?? listensOnLoopback,
    imageUrlAllow: env.IMAGE_URL_ALLOW,
    challengeActions: [...new Set(env.CHALLENGE_ACTIONS)],
    attemptLimit: limitOf(env.ATTEMPT_LIMITS, usualLimits.attempts),
    forgeryLimit: limitOf(env.FORGERY_LIMITS, usualLimits.forgeries),
    collectionLimit: env.COLLECTION_LIMIT,
    facesInMemory: env.FACES_IN_MEMORY,
    searchThreads: env.SEARCH_THREADS,
    rateLimits: rateLimitsOf(env, limitOf),
    embedOrigins: env.EMBED_ORIGINS,
    corsOrigins: env.CORS_ORIGINS,
    secret: env.SECRET,
    secretPrevious: env.SECRET_PREVIOUS,
    analysisThreads: env.ANALYSIS_THREADS,
    mostBytesUnderWay: env.MEMORY_FOR_BODIES * 1024 * 1024,
    demo: env.DEMO ?? listensOnLoopback,
    logLevel: env.LOG_LEVEL,
    metricsToken: env.METRICS_TOKEN,
    upkeep: upkeepOf(env, listensOnLoopback, env.DATA_DIR),
  }
}

function packOf({ MODEL_PACK, FORMER_MODEL_PACK }: Environment): Pack {
  if (FORMER_MODEL_PACK === undefined) return packs[MODEL_PACK]
  try {
    return withFormer(packs[MODEL_PACK], FORMER_MODEL_PACK)
  } catch (error) {
    throw new Error(`The settings are wrong.\n  FORMER_MODEL_PACK: ${(error as Error).message}`)
  }
}

/** [Note: A role without networks is not served] Its addresses answer as those of any role that is elsewhere: 404. */
function listenersOf(env: Environment): readonly Listener[] {
  const pack = packs[env.MODEL_PACK]
  const listeners = askedListenersOf(env)
  const missing = listeners.flatMap(({ roles }) => roles).filter((role) => !hasNetworksFor(pack, role))
  if (missing.length === 0) return listeners
  const name = env.LISTEN === undefined ? 'ROLES' : 'LISTEN'
  throw new Error(
    `The settings are wrong.\n  ${name}: The ${pack.name} pack has no networks for ${missing.join(', ')}.`,
  )
}

function askedListenersOf({ LISTEN, PORT, ROLES, MODEL_PACK }: Environment): readonly Listener[] {
  const roles = ROLES ?? everyRole.filter((role) => hasNetworksFor(packs[MODEL_PACK], role))
  if (LISTEN === undefined) return [{ port: PORT ?? defaultPort, roles: [...new Set(roles)] }]
  if (PORT !== undefined || ROLES !== undefined) {
    throw new Error('The settings are wrong.\n  LISTEN: Takes the place of PORT and ROLES: unset them.')
  }
  return LISTEN
}

type LimitOf = (given: number | 'off' | undefined, usual: number) => number | undefined

function rateLimitsOf(env: Environment, rateOf: LimitOf): RateLimitSettings {
  return {
    analyses: rateOf(env.RATE_LIMIT_ANALYSES, usualRates.analyses),
    requests: rateOf(env.RATE_LIMIT_REQUESTS, usualRates.requests),
    inits: rateOf(env.RATE_LIMIT_INITS, usualRates.inits),
    failedLogins: rateOf(env.RATE_LIMIT_LOGINS, usualRates.failedLogins),
  }
}
