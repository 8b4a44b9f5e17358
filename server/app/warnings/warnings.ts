import { turnsTheHead } from '#models/rules/challenge/movement.ts'
import type { AuditPlace } from '#server/app/audit-place.ts'
import type { ConsoleTrouble } from '#server/app/console-lines.ts'
import type { Settings } from '#server/app/settings.ts'
import type { EqualNames, OutOfReach, UnknownNames } from '#server/features/verifications/verifications.ts'
import type { ClockWatch } from '#server/platform/store/clock-watch.ts'
import { readPostgresAddress } from '#server/platform/store/drivers/postgres/postgres-address.ts'
import { type StoreTraits, serverNameOf } from '#server/platform/store/store-traits.ts'
import { isLoopbackAddress } from '#shared/web-address.ts'
import { indexWarnings } from './face-warnings.ts'
import { equalWarnings, nameWarnings, reachWarnings } from './store-warnings.ts'
import { type Warning, when } from './warning.ts'

const fewestActions = 4
const oldestNode = 22
/** A third of the drift that keeps a process from being ready. */
const noticedDriftInSeconds = 1

/** Findings in the store and on the machine. */
interface Findings {
  readonly opensWithFormer: boolean
  readonly adminKeyInWebhooks: boolean
  readonly traits?: StoreTraits | undefined
  /** The running Node version, such as `24.9.0`. */
  readonly node?: string
  /** True if users other than its owner may read DATA_DIR. */
  readonly dataDirIsOpen?: boolean
  /** How many collections were moved to PostgreSQL servers. */
  readonly movedToServers?: number
  readonly clock?: Pick<ClockWatch, 'driftInSeconds'> | undefined
  readonly unknownNames?: readonly UnknownNames[]
  /** Verification names and collection IDs that are equal. */
  readonly equalNames?: readonly EqualNames[]
  /** Verifications that require `high` although no visit can reach it. */
  readonly outOfReach?: readonly OutOfReach[]
  /** How many audit logs have entries older than AUDIT_DAYS. */
  readonly oldAuditLogs?: number
  readonly auditPlace?: Pick<AuditPlace, 'kind' | 'hasFilesLeft' | 'isOpen'>
  /** True if this process itself answers over TLS, for a phone on its network. */
  readonly servesTls?: boolean
  /** Undefined if there is no console, or its address is fine. */
  readonly consoleTrouble?: ConsoleTrouble | undefined
}

/**
 * Warnings for operators about the settings. The defaults are fine on a machine that only serves itself. A machine with a
 * public address serves others, even if it listens on loopback behind a proxy.
 */
export function warningsOf(
  settings: Settings,
  keyGoesToPipe: boolean,
  found: Findings = { opensWithFormer: false, adminKeyInWebhooks: false },
): Warning[] {
  const always = [
    ...challengeWarnings(settings),
    ...addressWarnings(settings),
    ...storeWarnings(settings, found.traits),
    ...indexWarnings(settings, found.movedToServers ?? 0),
    ...when(found.dataDirIsOpen === true, {
      code: 'data_dir_open',
      meaning: 'Other users of this machine can read DATA_DIR: run chmod 700 on it.',
    }),
    ...when(settings.openSecretFiles.length > 0, {
      code: 'secret_file_open',
      meaning: `Other users of this machine can read the files of ${settings.openSecretFiles.join(', ')}: run chmod o= on them.`,
    }),
    ...nodeWarnings(found.node),
    ...when(Math.abs(found.clock?.driftInSeconds() ?? 0) > noticedDriftInSeconds, {
      code: 'clock_drift',
      meaning: 'The clocks of this machine and of the server in STORE differ: synchronise both by NTP.',
    }),
    ...when((found.oldAuditLogs ?? 0) > 0, {
      code: 'audit_old',
      meaning: `Audit logs have entries older than ${settings.upkeep.auditDays} days (AUDIT_DAYS), of ${found.oldAuditLogs} accounts: npm run audit -- archive --before DATE.`,
    }),
    ...auditPlaceWarnings(settings, found.auditPlace),
    ...nameWarnings(found.unknownNames ?? []),
    ...equalWarnings(found.equalNames ?? []),
    ...reachWarnings(found.outOfReach ?? []),
    ...consoleWarnings(found.consoleTrouble),
    ...when(found.opensWithFormer, {
      code: 'former_secret',
      meaning: 'A former secret still opens the store: reseal it with npm run account -- reseal.',
    }),
  ]
  if (!isPublic(settings)) return always
  const webhook = when(found.adminKeyInWebhooks, {
    code: 'webhook_admin_key',
    meaning: 'Webhooks carry a key with the scope admin: make one without scopes the primary key.',
  })
  const inPublic = publicWarnings(settings, keyGoesToPipe).filter(
    ({ code }) => code !== 'no_tls' || found.servesTls !== true,
  )
  return [...always, ...inPublic, ...webhook]
}

/**
 * [Note: Rows are as safe as their database] A database administrator can restore an older state of all tables at once.
 * Only heads stored elsewhere reveal that.
 */
function auditPlaceWarnings({ upkeep }: Settings, place: Findings['auditPlace']): Warning[] {
  const isOnlyHere = upkeep.auditHeads.every((target) => target.kind === 'file' && target.isOwn === true)
  return [
    ...when(place?.kind === 'rows' && isOnlyHere, {
      code: 'audit_heads_local',
      meaning:
        'Audit logs are in the database, and their heads go only to DATA_DIR of each process. Set AUDIT_HEADS to a file, a syslog or https address, or log.',
    }),
    ...when(place?.isOpen === true, {
      code: 'audit_rows_open',
      meaning:
        'The role of the servers may change audit rows: as the owner, REVOKE UPDATE, DELETE, TRUNCATE on audit_frames, audit_archives and journal.',
    }),
    ...when(place?.hasFilesLeft === true, {
      code: 'audit_in_files',
      meaning: `Segments of the audit log are still in ${upkeep.auditDir}, and other processes may lack them: npm run audit -- move --to rows.`,
    }),
  ]
}

/** Passkeys do not work in these cases. */
function consoleWarnings(trouble: ConsoleTrouble | undefined): Warning[] {
  return [
    ...when(trouble === 'closed', {
      code: 'console_closed',
      meaning:
        'Signing in to the console is impossible: passkeys work only over https and on localhost. Set PUBLIC_URL.',
    }),
    ...when(trouble === 'moved', {
      code: 'passkeys_elsewhere',
      meaning:
        'Some passkeys of the console were created for another host than that of PUBLIC_URL: invite their owners again with npm run account -- invite NAME.',
    }),
  ]
}

function isPublic({ listensOnLoopback, configurationUrl }: Settings): boolean {
  return !listensOnLoopback || (configurationUrl !== undefined && !isLoopbackAddress(configurationUrl))
}

function challengeWarnings({ challengeActions }: Settings): Warning[] {
  return [
    ...when(challengeActions.length < fewestActions, {
      code: 'weak_challenge',
      meaning: `Fewer than ${fewestActions} actions are easy to predict.`,
    }),
    ...when(!challengeActions.some(turnsTheHead), {
      code: 'no_turn',
      meaning:
        'None of CHALLENGE_ACTIONS turns the head, so a verification that requires evidence cannot be passed.',
    }),
  ]
}

/** A store on a server is only as safe as the server's configuration and the connection to it. */
function storeWarnings({ storeAddress }: Settings, traits: StoreTraits | undefined): Warning[] {
  if (storeAddress === undefined) return []
  const name = serverNameOf(storeAddress)
  return [
    ...when(traits?.keepsEveryWrite !== true, {
      code: 'store_may_lose',
      meaning: `${name} may lose acknowledged writes: set ${durableBy[name]}.`,
    }),
    ...when(traits?.evicts === true, {
      code: 'store_evicts',
      meaning: 'Redis drops entries when its memory is full: set maxmemory-policy noeviction.',
    }),
    ...(name === 'PostgreSQL' ? postgresWayWarnings(storeAddress) : redisWayWarnings(storeAddress)),
  ]
}

const durableBy = {
  Redis: 'appendonly yes and appendfsync always',
  PostgreSQL: 'fsync and synchronous_commit on',
} as const

function redisWayWarnings(address: string): Warning[] {
  const isOpen = address.startsWith('redis:') && !isLoopbackAddress(address.replace('redis:', 'http:'))
  return when(isOpen, {
    code: 'store_no_tls',
    meaning: 'STORE is not rediss: the connection is not encrypted.',
  })
}

function postgresWayWarnings(address: string): Warning[] {
  const { protection } = readPostgresAddress(address)
  return [
    ...when(protection === 'none', {
      code: 'store_no_tls',
      meaning: 'STORE has no sslmode: the connection is not encrypted. Set sslmode=verify-full.',
    }),
    ...when(protection === 'encrypted', {
      code: 'store_tls_unchecked',
      meaning: 'STORE does not verify the server: set sslmode=verify-full.',
    }),
  ]
}

/** Warnings about where requests come from and go to. */
function addressWarnings(settings: Settings): Warning[] {
  const { publicUrl, configurationUrl, securityUrl } = settings
  const urls = [publicUrl, configurationUrl, securityUrl]
  const servesSecurity = settings.listeners.some(({ roles }) => roles.includes('security'))
  return [
    ...when(settings.imageUrlAllow.length > 0, {
      code: 'private_targets',
      meaning: 'IMAGE_URL_ALLOW lets pictures be fetched from private addresses.',
    }),
    ...when(
      urls.some((url) => url?.startsWith('http:')),
      { code: 'no_tls', meaning: 'PUBLIC_URL is not https.' },
    ),
    ...when(settings.corsOrigins.includes('*'), {
      code: 'cors_any',
      meaning: 'Every page may call the analysis: CORS_ORIGINS is *.',
    }),
    ...proxyWarnings(settings),
    ...when(!servesSecurity && securityUrl === undefined, {
      code: 'issuer_unknown',
      meaning: 'Set SECURITY_URL: tokens of a security role that runs elsewhere are refused here.',
    }),
  ]
}

/** [Note: Two lines of Node] 22 and 24 get fixes; 20.19 still starts, but has had none since April 2026. */
function nodeWarnings(version: string | undefined): Warning[] {
  const major = Number.parseInt(version ?? '24', 10)
  return when(major < oldestNode || major % 2 === 1, {
    code: 'node_unsupported',
    meaning: `Node ${version} no longer gets security fixes. The server still runs on it: install Node 22 or 24 as soon as you can.`,
  })
}

/** Warnings about proxies in front of the server, and about the addresses that they report. */
function proxyWarnings(settings: Settings): Warning[] {
  const { publicUrl, configurationUrl, trustedProxies, listensOnLoopback } = settings
  const isHttps = [publicUrl, configurationUrl].some((url) => url?.startsWith('https:'))
  return [
    ...when(isHttps && trustedProxies === 0, {
      code: 'proxy_unread',
      meaning:
        'PUBLIC_URL is https, so there is a proxy in front, but TRUST_PROXY is 0: all clients appear under the address of the proxy and share its limits.',
    }),
    ...when(!isHttps && trustedProxies > 0 && !listensOnLoopback, {
      code: 'proxy_unlikely',
      meaning:
        'TRUST_PROXY reads X-Forwarded-For, but no PUBLIC_URL is https: anyone who reaches the port directly can claim any address.',
    }),
  ]
}

function publicWarnings(settings: Settings, keyGoesToPipe: boolean): Warning[] {
  const limits = [settings.attemptLimit, settings.forgeryLimit, ...Object.values(settings.rateLimits)]
  return [
    ...when(settings.publicUrl === undefined && settings.configurationUrl === undefined, {
      code: 'no_tls',
      meaning: 'Without PUBLIC_URL, addresses are http.',
    }),
    ...when(settings.webhookAllowLoopback, {
      code: 'private_targets',
      meaning: 'Webhooks may reach this machine.',
    }),
    ...when(settings.demo, { code: 'demo_public', meaning: 'Anyone may use the demo.' }),
    ...when(limits.includes(undefined), {
      code: 'no_limits',
      meaning: 'ATTEMPT_LIMITS, FORGERY_LIMITS or one of RATE_LIMIT_… is off.',
    }),
    ...when(settings.secret === undefined, {
      code: 'secret_beside_store',
      meaning: 'Set SECRET: otherwise anyone who copies DATA_DIR has the store and its secret.',
    }),
    ...when(keyGoesToPipe, { code: 'key_in_log', meaning: 'The first API key was printed to a pipe.' }),
  ]
}
