import { createSocket } from 'node:dgram'
import { appendFile } from 'node:fs/promises'
import { isIPv6 } from 'node:net'
import type { AuditHead } from '#server/audit/audit-log.ts'
import type { Outbound } from '#server/http/outbound/outbound.ts'
import type { Clock } from '#server/store/store.ts'
import type { HeadTarget } from './head-target.ts'
import type { ToldHead } from './told-heads.ts'

const toldAfterInMilliseconds = 1000
const postedWithinMilliseconds = 10_000
/** Facility 13 (log audit), severity 6 (informational): RFC 5424, section 6.2.1. */
const priority = 13 * 8 + 6

/** Tells elsewhere where the audit logs end, so that nobody can take them back unseen. */
export interface HeadSender {
  /** Tells the newest head of an account within a second. */
  tell(accountId: string, head: AuditHead): void
  /** Tells what is not told yet; for the end. */
  flush(): Promise<void>
}

interface Dependencies {
  readonly targets: readonly HeadTarget[]
  readonly outbound: Pick<Outbound, 'post'>
  readonly now: Clock
  /** What could not be told; the next head is told all the same. */
  readonly onFailure: (error: unknown) => void
}

export function createHeadSender({ targets, outbound, now, onFailure }: Dependencies): HeadSender {
  const waiting = new Map<string, AuditHead>()
  let timer: NodeJS.Timeout | undefined
  let sending = Promise.resolve()

  async function send(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const time = new Date(now()).toISOString()
    const heads = [...waiting].map(([accountId, { sequence, hash }]) => ({ time, accountId, sequence, hash }))
    waiting.clear()
    if (heads.length === 0) return
    await Promise.all(targets.map((target) => sendTo(target, heads, outbound).catch(onFailure)))
  }

  const flush = () => {
    sending = sending.then(send)
    return sending
  }

  return {
    tell(accountId, { sequence, hash }) {
      if (targets.length === 0) return
      waiting.set(accountId, { sequence, hash })
      timer ??= setTimeout(() => void flush(), toldAfterInMilliseconds).unref()
    },
    flush,
  }
}

async function sendTo(target: HeadTarget, heads: readonly ToldHead[], outbound: Pick<Outbound, 'post'>) {
  const lines = heads.map((head) => JSON.stringify(head))
  if (target.kind === 'file') return appendFile(target.path, `${lines.join('\n')}\n`, { mode: 0o600 })
  if (target.kind === 'syslog') return sendDatagrams(target, heads)
  const status = await outbound.post({
    address: target.address,
    headers: { 'content-type': 'application/json' },
    body: `{"auditHeads":[${lines.join(',')}]}`,
    timeoutInMilliseconds: postedWithinMilliseconds,
  })
  if (status >= 300) throw new Error(`The receiver of audit heads answered ${status}`)
}

async function sendDatagrams({ host, port }: { host: string; port: number }, heads: readonly ToldHead[]) {
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
