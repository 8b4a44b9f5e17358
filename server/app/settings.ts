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
  /** The port to listen on; 0 picks a free one. */
  PORT: v.optional(wholeNumber(0, 65_535)),
  HOST: v.optional(v.string(), '127.0.0.1'),
  /** The roles that this process serves, on one port. */
  ROLES: v.optional(listOf(everyRole)),
  /** Several ports, each with its roles, instead of PORT and ROLES: `8080:configuration,security;8081:liveness`. */
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
   * The networks: `standard`; `conservative`, with only those whose weights have a documented origin (roles that need
   * others are not served); or `extended`, which an operator installs.
   */
  MODEL_PACK: v.optional(oneOf(packNames), 'standard'),
  /** The previous pack. Faces with its embeddings are still found, and then get embeddings of MODEL_PACK. */
  FORMER_MODEL_PACK: v.optional(oneOf(packNames)),
  DATA_DIR: v.optional(v.string(), './data'),
  /** The folder for installed packs; defaults to `packs` in DATA_DIR. */
  PACKS_DIR: v.optional(v.string()),
  /** The built pages; defaults to those next to the built server. */
  WEB_DIR: v.optional(v.string()),
  OFFLINE_PAGES: v.optional(flag, 'true'),
  /** `lmdb`, the embedded store in DATA_DIR, or the address of a Redis or PostgreSQL server, which processes may share. */
  STORE: v.optional(storeAddress, 'lmdb'),
  REGION: v.optional(oneOf(['EU', 'US']), 'EU'),
  /** The origin at which the public reaches this server. */
  PUBLIC_URL: v.optional(publicOrigin),
  /** The public origin of the configuration role and its pages, if it differs. */
  CONFIGURATION_URL: v.optional(publicOrigin),
  /** The security role's public origin, which every token names as its issuer, if it differs. */
  SECURITY_URL: v.optional(publicOrigin),
  /** The number of proxies in front that write X-Forwarded-For; 0 ignores the header. */
  TRUST_PROXY: v.optional(wholeNumber(0, 10), '0'),
  /** Allows webhooks to receivers on this machine. Defaults to true if the server itself listens on loopback. */
  WEBHOOK_ALLOW_LOOPBACK: v.optional(flag),
  /** Picture sources besides the public internet: `loopback`, hosts or networks; defaults to none. */
  IMAGE_URL_ALLOW: v.optional(allowEntries, ''),
  /**
   * The actions that a challenge may draw from. [Note: Measured actions by default] Blinks have not been tested on
   * footage, and a photograph that comes closer looks as if the person did, so both are drawn only if configured.
   */
  CHALLENGE_ACTIONS: v.optional(listOf(actions), 'turnLeft,turnRight,lookUp,smile'),
  /** Failed sessions per hour, link, external id and address; `off` is the default on loopback. */
  ATTEMPT_LIMITS: v.optional(limitAnHour),
  /** Suspected forgeries per hour, link and external id; `off` is the default on loopback. */
  FORGERY_LIMITS: v.optional(limitAnHour),
  /**
   * Number of faces in a collection above which verify-duplicate refuses newcomers.
   * [Note: Only verify-duplicate has a limit] It is the one operation whose result can report it.
   */
  COLLECTION_LIMIT: v.optional(wholeNumber(1, 10_000_000), '100000'),
  /** How many faces, across all collections, a process keeps in memory, about 2.4 kB each. A single larger collection still works. */
  FACES_IN_MEMORY: v.optional(wholeNumber(1, 100_000_000), '500000'),
  /** How many threads search collections of more than a few hundred faces in parallel, each with a share of the faces. */
  SEARCH_THREADS: v.optional(wholeNumber(1, 64), '1'),
  /** Analyses per minute and key. These four limits are `off` by default on loopback. */
  RATE_LIMIT_ANALYSES: v.optional(rate),
  /** Other requests per minute and key. */
  RATE_LIMIT_REQUESTS: v.optional(rate),
  /** Sessions that an address may open or take over per minute. */
  RATE_LIMIT_INITS: v.optional(rate),
  /** Wrong credentials per minute and address. */
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
  /** The master secret, at least 32 characters; by default it is in a file in DATA_DIR. */
  SECRET: v.optional(secret),
  /** The previous master secret, needed until the store is resealed. */
  SECRET_PREVIOUS: v.optional(secret),
  ANALYSIS_THREADS: v.optional(wholeNumber(1, 64), '1'),
  /** MiB of bodies, fetched pictures and responses that the process may hold at once; an account may use half, a body 32. */
  MEMORY_FOR_BODIES: v.optional(wholeNumber(64, 65_536), '128'),
  /** Serves the demo; defaults to true if the server listens on loopback. */
  DEMO: v.optional(flag),
  LOG_LEVEL: v.optional(oneOf(['silent', 'error', 'warn', 'info', 'debug']), 'warn'),
  /** The bearer token with which a collector reads /metrics without an administrator's key. */
  METRICS_TOKEN: v.optional(
    v.pipe(v.string(), v.regex(/^[\w.~+/=-]{16,}$/, 'Must have 16 or more of A-Z a-z 0-9 . _ ~ + / = -.')),
  ),
})

/** The name of every setting. */
export const settingNames: readonly string[] = Object.keys(environment.entries)

type Environment = v.InferOutput<typeof environment>

/** The operator's settings, with defaults filled in. */
export interface Settings {
  readonly listeners: readonly Listener[]
  readonly host: string
  readonly pack: Pack
  readonly dataDir: string
  /** The folder for installed packs. */
  readonly packsDir: string
  /** A Redis or PostgreSQL store's address; undefined for the embedded store. May contain a password. */
  readonly storeAddress: string | undefined
  readonly webDir: string | undefined
  /** True if devices cache the page for offline use; otherwise their caches are removed. */
  readonly offlinePages: boolean
  readonly region: 'EU' | 'US'
  /** The public origins, if they are set. */
  readonly publicUrl: string | undefined
  readonly configurationUrl: string | undefined
  readonly securityUrl: string | undefined
  /** True if any of them has an https address. */
  readonly isHttps: boolean
  readonly trustedProxies: number
  readonly listensOnLoopback: boolean
  readonly webhookAllowLoopback: boolean
  readonly imageUrlAllow: readonly string[]
  readonly challengeActions: readonly (typeof actions)[number][]
  /** Failed sessions per hour; undefined means no limit. */
  readonly attemptLimit: number | undefined
  /** Suspected forgeries per hour; undefined means no limit. */
  readonly forgeryLimit: number | undefined
  readonly collectionLimit: number
  readonly facesInMemory: number
  readonly searchThreads: number
  readonly rateLimits: RateLimitSettings
  readonly embedOrigins: readonly string[]
  /** `*` allows any origin. */
  readonly corsOrigins: readonly string[]
  readonly secret: string | undefined
  readonly secretPrevious: string | undefined
  readonly analysisThreads: number
  readonly mostBytesUnderWay: number
  readonly demo: boolean
  readonly logLevel: 'silent' | 'error' | 'warn' | 'info' | 'debug'
  readonly metricsToken: string | undefined
  /** The names of settings with files that every user on the machine can read. */
  readonly openSecretFiles: readonly string[]
  readonly upkeep: UpkeepSettings
}

/**
 * [Note: Ours] The limit on other requests is far above normal use and only stops a runaway loop. The first line is per
 * minute, the others per hour.
 */
const usualRates = { analyses: 600, requests: 3000, inits: 30, failedLogins: 20 } as const
const usualLimits = { attempts: 5, forgeries: 2 } as const

/** Reads the settings. No other code reads the environment. @throws an Error that names each invalid setting */
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
 * The settings of a start with `--https`, for phones on the same network: listens on all addresses and serves the demo,
 * unless set otherwise.
 * @throws if a public address is set, because it needs a certificate from an authority
 */
export function readTrialSettings(env: Record<string, string | undefined> = process.env): Settings {
  const settings = readSettings({ HOST: '0.0.0.0', DEMO: 'true', ...withoutEmpty(env) })
  const given = ['PUBLIC_URL', 'CONFIGURATION_URL', 'SECURITY_URL'].find((name) => env[name])
  if (given === undefined) return settings
  throw new Error(
    `--https is for trials on a local network, but ${given} is set. A public server needs a TLS proxy in front. Remove one of the two.`,
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

/** [Note: A role without networks is not served] Its addresses return 404, like those of any role that runs elsewhere. */
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
    throw new Error('The settings are wrong.\n  LISTEN: Replaces PORT and ROLES; unset them.')
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
