import { createSocket } from 'node:dgram'
import { mkdir } from 'node:fs/promises'
import { isIPv6 } from 'node:net'
import { dirname } from 'node:path'
import type { AuditHead, Withdrawal } from '#server/features/audit/chain.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { Outbound } from '#server/platform/http/outbound/outbound.ts'
import type { Clock } from '#server/platform/store/store.ts'
import { appendLines } from './append-lines.ts'
import { createCompaction } from './compact-heads.ts'
import type { HeadTarget } from './head-target.ts'
import { type ReportedHead, type ReportedLine, reportedWithdrawal } from './reported-heads.ts'

const reportedAfterInMilliseconds = 1000
const postedWithinMilliseconds = 10_000
/** Facility 13 (log audit), severity 6 (informational): RFC 5424, section 6.2.1. */
const priority = 13 * 8 + 6

/** Reports audit log heads to places outside the store, so that a rollback does not go unnoticed. */
export interface HeadSender {
  /** Reports an account's newest head within a second, and writes revocations to files immediately. */
  tell(accountId: string, head: AuditHead, withdrawals?: readonly Withdrawal[]): void
  /** Informs files that a log no longer leads to the head they contain. */
  keep(head: ReportedHead): void
  /** Informs files that a restore has reset the logs. */
  tellRestore(): void
  /** Reports everything that is pending. For the end of the process. */
  flush(): Promise<void>
}

interface Dependencies {
  readonly targets: readonly HeadTarget[]
  /** Signs reported revocations. If absent, revocations are not reported. */
  readonly keyRing?: KeyRing
  readonly outbound: Pick<Outbound, 'post'>
  /** Writes a head to the process's log, for the target `log`. */
  readonly onRecord?: ((head: ReportedHead) => void) | undefined
  readonly now: Clock
  /** Receives failed reports. Later heads are still reported. */
  readonly onFailure: (error: unknown) => void
}

export function createHeadSender(services: Dependencies): HeadSender {
  const { targets, keyRing, now, onFailure } = services
  const waiting = new Map<string, AuditHead>()
  const compactions = targets.flatMap((target) =>
    target.kind === 'file' && target.isOwn && keyRing ? [createCompaction(target.path, keyRing)] : [],
  )
  /** Only for files. Each line waits until it is written. */
  let lines: ReportedLine[] = []
  let timer: NodeJS.Timeout | undefined
  let sending = Promise.resolve()
  const time = () => new Date(now()).toISOString()

  async function send(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const heads = [...waiting].map(([accountId, { sequence, hash }]) => ({
      time: time(),
      accountId,
      sequence,
      hash,
    }))
    const alsoToFiles = lines
    waiting.clear()
    lines = []
    if (heads.length + alsoToFiles.length === 0) return
    const sent = targets.map((target) => sendTo(target, heads, alsoToFiles, services))
    for (const [i, outcome] of (await Promise.allSettled(sent)).entries()) {
      if (outcome.status === 'fulfilled') continue
      // [Note: A full disk forgets no revocation] Revocations are written again with the next head. A head itself is
      // outdated by then.
      if (targets[i]!.kind === 'file') lines.unshift(...alsoToFiles)
      onFailure(outcome.reason)
    }
    for (const compact of compactions) await compact().catch(onFailure)
  }

  const flush = () => {
    sending = sending.then(send)
    return sending
  }
  function addLines(...added: readonly ReportedLine[]): void {
    if (targets.length === 0 || added.length === 0) return
    lines.push(...added)
    void flush()
  }

  return {
    tell(accountId, { sequence, hash }, withdrawals = []) {
      if (targets.length === 0) return
      waiting.set(accountId, { sequence, hash })
      timer ??= setTimeout(() => void flush(), reportedAfterInMilliseconds).unref()
      if (keyRing !== undefined)
        addLines(...withdrawals.map((revoked) => reportedWithdrawal(keyRing, time(), accountId, revoked)))
    },
    keep: (head) => addLines({ ...head, time: time(), isKept: true }),
    tellRestore: () => addLines({ time: time(), isRestored: true }),
    flush,
  }
}

async function sendTo(
  target: HeadTarget,
  heads: readonly ReportedHead[],
  alsoToFiles: readonly ReportedLine[],
  { outbound, onRecord }: Pick<Dependencies, 'outbound' | 'onRecord'>,
) {
  if (target.kind === 'log') {
    for (const head of heads) onRecord?.(head)
    return
  }
  if (target.kind === 'file') {
    const lines = [...alsoToFiles, ...heads].map((line) => `${JSON.stringify(line)}\n`)
    // During a restore onto a server, this is the first write to the folder.
    if (target.isOwn) await mkdir(dirname(target.path), { recursive: true })
    return appendLines(target.path, lines.join(''))
  }
  if (heads.length === 0) return
  if (target.kind === 'syslog') return sendDatagrams(target, heads)
  const status = await outbound.post({
    address: target.address,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ auditHeads: heads }),
    timeoutInMilliseconds: postedWithinMilliseconds,
  })
  if (status >= 300) throw new Error(`The receiver of audit heads answered ${status}`)
}

async function sendDatagrams({ host, port }: { host: string; port: number }, heads: readonly ReportedHead[]) {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
  try {
    for (const head of heads) {
      const line = `<${priority}>1 ${head.time} - selfsame ${process.pid} audit-head - ${JSON.stringify(head)}`
      await new Promise<void>((sent, fail) =>
        socket.send(line, port, host, (error) => (error === null ? sent() : fail(error))),
      )
    }
  } finally {
    socket.close()
  }
}
