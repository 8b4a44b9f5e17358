import type { AuditSegments, Frame } from './segments.ts'

const framesAtOnce = 500
const bytesAtOnce = 2 ** 20

/** Copies every frame from one place to another, and returns how many. Safe to repeat. */
export async function copySegments(from: AuditSegments, to: AuditSegments): Promise<number> {
  let copied = 0
  for (const accountId of await from.accounts()) {
    let lot: Frame[] = []
    let bytes = 0
    const add = async () => {
      if (lot.length > 0) await to.append(accountId, lot)
      copied += lot.length
      lot = []
      bytes = 0
    }
    for await (const frame of from.ascending(accountId, -1)) {
      lot.push(frame)
      bytes += frame.content.length
      if (lot.length === framesAtOnce || bytes >= bytesAtOnce) await add()
    }
    await add()
  }
  return copied
}

export async function holdsFrames(segments: AuditSegments): Promise<boolean> {
  for (const accountId of await segments.accounts())
    for await (const _frame of segments.ascending(accountId, -1)) return true
  return false
}
