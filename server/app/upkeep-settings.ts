import { join } from 'node:path'
import * as v from 'valibot'
import { type HeadTarget, headTargetOf } from '#server/features/audit/audit.ts'
import { type OpenidSettings, openidEntries, openidOf } from '#server/features/operators/operators.ts'
import type { IndexKind } from '#server/features/recognition/recognition.ts'
import {
  type TraceSettings,
  traceEntries,
  tracesOf,
} from '#server/platform/telemetry/traces/trace-settings.ts'
import { flag, isPostgresAddress, oneOf, separatedBySpaces, wholeNumber } from './setting-values.ts'

const webhookKeys = ['none', 'first'] as const
const usualDrainInSeconds = 5

/** Settings for starting, stopping and monitoring a server. */
export const upkeepEntries = {
  ...openidEntries,
  ...traceEntries,
  /** Makes the deployment an OpenID provider at /openid. */
  OPENID_PROVIDER: v.optional(v.picklist(['on', 'off'], 'Must be on or off.'), 'off'),
  /** The first key's value, for operators who generate it elsewhere. It is then never printed. */
  FIRST_API_KEY: v.optional(
    v.pipe(v.string(), v.regex(/^[\w-]{43,128}$/, 'Must have 43 to 128 of A-Z a-z 0-9 _ -, made at random.')),
  ),
  /**
   * The key that webhooks of verifications carry in a new deployment: one without access, or the first key, as before.
   * Takes effect only at the first start.
   */
  WEBHOOK_API_KEY: v.optional(v.picklist(webhookKeys, `Must be ${webhookKeys.join(' or ')}.`), 'none'),
  /** Prints the code that opens the console at the first start, even if the output is not a terminal. */
  PRINT_CONSOLE_CODE: v.optional(flag, 'false'),
  /** How long `readyz` reports that the server is stopping before the port closes. Defaults to 0 on loopback. */
  DRAIN_SECONDS: v.optional(wholeNumber(0, 300)),
  /** IDs of the collections that are loaded into memory before the server is ready. */
  WARM_COLLECTIONS: v.optional(
    v.pipe(
      v.string(),
      v.transform((text) => [...new Set(text.split(',').map((id) => id.trim()))].filter((id) => id !== '')),
    ),
    '',
  ),
  /** The journal of removals and revocations, from which a restore repeats them. Best kept on another disk or machine. */
  JOURNAL_FILE: v.optional(v.string()),
  /** A folder with trusted attestation roots for passkey devices. Without it, no attestation is requested. */
  PASSKEY_ROOTS: v.optional(v.string()),
  /** A JSON file of devices limited to `standard` even though a root vouches for them. It is read again while the server runs. */
  PASSKEY_REVOKED: v.optional(v.string()),
  /**
   * The place of audit logs if the store is not on PostgreSQL: a folder that all processes of the store share, `audit` in
   * DATA_DIR by default, or the address of a PostgreSQL server.
   */
  AUDIT_DIR: v.optional(v.string()),
  /** The folder for review pictures, shared by all of a store's processes; `evidence` in DATA_DIR by default, unused on PostgreSQL. */
  EVIDENCE_DIR: v.optional(v.string()),
  /** Older audit entries cause a warning at startup, so that they can be archived. */
  AUDIT_DAYS: v.optional(wholeNumber(1, 36_500), '730'),
  /**
   * Targets to which the heads of audit logs are reported, separated by spaces: `log`, `file:/path`, `syslog://host:514`,
   * `https://…`; `heads.jsonl` in DATA_DIR by default.
   */
  AUDIT_HEADS: v.optional(
    v.pipe(
      v.string(),
      v.transform(separatedBySpaces),
      v.array(
        v.pipe(
          v.string(),
          v.transform(headTargetOf),
          v.custom<HeadTarget>(
            (target) => target !== undefined,
            'Must be log, file:/path, syslog://host:514 or https://… (http on this machine), with spaces between.',
          ),
        ),
      ),
    ),
  ),
  /** The index for collections that were never moved: in each process's memory, or on PostgreSQL servers. */
  FACE_INDEX: v.optional(oneOf(['memory', 'postgres']), 'memory'),
  /**
   * Number of face codes from PostgreSQL servers that a process caches to search them itself, over all collections; with
   * 0 the servers do.
   */
  INDEX_CODES_IN_MEMORY: v.optional(wholeNumber(0, 50_000_000), '2000000'),
  /**
   * Further PostgreSQL servers that store faces, next to that of STORE if it is one, separated by spaces. Their order
   * determines where each face is stored.
   */
  INDEX_SERVERS: v.optional(
    v.pipe(
      v.string(),
      v.transform(separatedBySpaces),
      v.array(
        v.pipe(
          v.string(),
          v.check(isPostgresAddress, 'Must be addresses such as postgres://user@127.0.0.1/faces.'),
        ),
      ),
      v.maxLength(64, 'Must be at most 64 servers.'),
    ),
    '',
  ),
} as const

const read = v.object(upkeepEntries)

/** The same settings with defaults filled in. */
export interface UpkeepSettings {
  /** Undefined if the first start generates and prints one. */
  readonly firstApiKey: string | undefined
  /** True if a new deployment's webhooks carry a key without access. */
  readonly hasWebhookKey: boolean
  /** True if a console code may be printed even if the output is not a terminal. */
  readonly printConsoleCode: boolean
  readonly drainInMilliseconds: number
  readonly warmCollections: readonly string[]
  readonly journalFile: string | undefined
  readonly passkeyRoots: string | undefined
  readonly passkeyRevoked: string | undefined
  /** The folder of segments. A deployment that keeps its log in rows only reads the segments left there. */
  readonly auditDir: string
  /** The PostgreSQL server named in AUDIT_DIR, if there is one. May contain a password. */
  readonly auditAddress: string | undefined
  readonly evidenceDir: string
  readonly auditDays: number
  readonly auditHeads: readonly HeadTarget[]
  readonly openid: OpenidSettings | undefined
  readonly traces: TraceSettings | undefined
  readonly isOpenidProvider: boolean
  readonly faceIndex: IndexKind
  readonly indexCodesInMemory: number
  /** PostgreSQL server addresses. May contain passwords. */
  readonly indexServers: readonly string[]
}

export function upkeepOf(
  env: v.InferOutput<typeof read>,
  listensOnLoopback: boolean,
  dataDir: string,
): UpkeepSettings {
  const usualAuditDir = join(dataDir, 'audit')
  const isOnPostgres = isPostgresAddress(env.AUDIT_DIR ?? '')
  const own: HeadTarget = { kind: 'file', path: join(dataDir, 'heads.jsonl'), isOwn: true }
  return {
    firstApiKey: env.FIRST_API_KEY,
    hasWebhookKey: env.WEBHOOK_API_KEY === 'none',
    printConsoleCode: env.PRINT_CONSOLE_CODE,
    drainInMilliseconds: 1000 * (env.DRAIN_SECONDS ?? (listensOnLoopback ? 0 : usualDrainInSeconds)),
    warmCollections: env.WARM_COLLECTIONS,
    journalFile: env.JOURNAL_FILE,
    passkeyRoots: env.PASSKEY_ROOTS,
    passkeyRevoked: env.PASSKEY_REVOKED,
    auditDir: isOnPostgres ? usualAuditDir : (env.AUDIT_DIR ?? usualAuditDir),
    auditAddress: isOnPostgres ? env.AUDIT_DIR : undefined,
    evidenceDir: env.EVIDENCE_DIR ?? join(dataDir, 'evidence'),
    auditDays: env.AUDIT_DAYS,
    auditHeads: env.AUDIT_HEADS ?? [own],
    openid: openidOf(env),
    traces: tracesOf(env),
    isOpenidProvider: env.OPENID_PROVIDER === 'on',
    faceIndex: env.FACE_INDEX,
    indexCodesInMemory: env.INDEX_CODES_IN_MEMORY,
    indexServers: env.INDEX_SERVERS,
  }
}
