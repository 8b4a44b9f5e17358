import { createReadStream, existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { AuditHead } from '#server/audit/audit-log.ts'
import { unlessItThrows } from '#server/security/unless-it-throws.ts'

/** The end of an account's audit log, as it is told elsewhere. */
export interface ToldHead extends AuditHead {
  /** ISO 8601: when it was told. */
  readonly time: string
  readonly accountId: string
}

/** The last head of each account in a file of heads; none where there is no file. Lines that were cut short are left out. */
export async function readToldHeads(path: string): Promise<ReadonlyMap<string, ToldHead>> {
  const heads = new Map<string, ToldHead>()
  if (!existsSync(path)) return heads
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const head = unlessItThrows(() => JSON.parse(line) as ToldHead)
    if (typeof head?.accountId === 'string') heads.set(head.accountId, head)
  }
  return heads
}
