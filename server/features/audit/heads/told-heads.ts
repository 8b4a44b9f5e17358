import { createHmac } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { AuditHead, Withdrawal } from '#server/features/audit/log/chain.ts'
import { sameSecret } from '#server/platform/crypto/constant-time.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { tryOrUndefined } from '#server/platform/running/try-or-undefined.ts'

/** The end of an account's audit log, as it is told elsewhere. */
export interface ToldHead extends AuditHead {
  /** ISO 8601: when it was told. */
  readonly time: string
  readonly accountId: string
  /** Told again because the log no longer led there: later ends do not take its place, only a restore does. */
  readonly isKept?: true
}

/** A revocation, as it is told to files. */
interface ToldWithdrawal {
  readonly time: string
  readonly accountId: string
  readonly revoked: Withdrawal
  /** Of whoever has the secret: nobody else can revoke a key by a line. */
  readonly mac: string
}

/** A restore has taken the logs back, for good reason. */
interface ToldRestore {
  readonly time: string
  readonly isRestored: true
}

export type ToldLine = ToldHead | ToldWithdrawal | ToldRestore

/** What a file tells of each account. */
export interface ToldFile {
  /** The last end, or the one that was kept. */
  readonly heads: ReadonlyMap<string, ToldHead>
  readonly withdrawals: readonly ToldWithdrawal[]
}

export function toldWithdrawal(
  keyRing: KeyRing,
  time: string,
  accountId: string,
  revoked: Withdrawal,
): ToldWithdrawal {
  return { time, accountId, revoked, mac: macOf(keyRing, accountId, revoked) }
}

/** What is in a file of heads; nothing where there is no file. Lines that were cut short, and revocations that others wrote, are left out. */
export async function readToldHeads(path: string, keyRing: KeyRing): Promise<ToldFile> {
  const heads = new Map<string, ToldHead>()
  const withdrawals = new Map<string, ToldWithdrawal>()
  const lines = existsSync(path) ? createInterface({ input: createReadStream(path) }) : []
  for await (const line of lines) {
    const told = tryOrUndefined(() => JSON.parse(line) as Partial<ToldHead & ToldWithdrawal & ToldRestore>)
    if (told?.isRestored === true) heads.clear()
    if (typeof told?.accountId !== 'string') continue
    const withdrawal = withdrawalOf(told, keyRing)
    if (withdrawal !== undefined) withdrawals.set(withdrawal.mac, withdrawal)
    if (typeof told.sequence !== 'number') continue
    if (told.isKept === true || heads.get(told.accountId)?.isKept !== true)
      heads.set(told.accountId, told as ToldHead)
  }
  return { heads, withdrawals: [...withdrawals.values()] }
}

function withdrawalOf(told: Partial<ToldWithdrawal>, keyRing: KeyRing): ToldWithdrawal | undefined {
  const { accountId, revoked, mac } = told
  if (typeof revoked !== 'object' || revoked === null || typeof mac !== 'string') return undefined
  return sameSecret(mac, macOf(keyRing, accountId!, revoked)) ? (told as ToldWithdrawal) : undefined
}

function macOf(keyRing: KeyRing, accountId: string, { kind, id, at }: Withdrawal): string {
  const content = JSON.stringify([accountId, kind, id, at])
  return createHmac('sha256', keyRing.derive('audit-heads')).update(content).digest('base64url')
}
