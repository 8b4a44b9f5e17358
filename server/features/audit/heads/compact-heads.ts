import { open, rename, stat } from 'node:fs/promises'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { readReportedHeads } from './reported-heads.ts'

/** As far as a file of heads of our own may grow before it is written anew. */
const mostBytes = 1024 * 1024
const stragglersWithinMilliseconds = 1000

/**
 * Writes a file of heads anew once it is large: the last head of each account, and every revocation. What is needed of a large deployment may be more
 * than a file may grow to: then it may grow to twice that.
 */
export function createCompaction(path: string, keyRing: KeyRing): () => Promise<void> {
  let limit = mostBytes
  return async () => {
    const { size = 0 } = (await stat(path).catch(() => undefined)) ?? {}
    if (size <= limit) return
    limit = Math.max(mostBytes, 2 * (await compact(path, keyRing, size)))
  }
}

/** Answers how many bytes are left. */
async function compact(path: string, keyRing: KeyRing, size: number): Promise<number> {
  const former = await open(path, 'r')
  try {
    const { heads, withdrawals } = await readReportedHeads(path, keyRing)
    const lines = [...heads.values(), ...withdrawals].map((line) => `${JSON.stringify(line)}\n`)
    const next = await open(`${path}.next`, 'w', 0o600)
    try {
      await next.writeFile(lines.join(''))
      await next.sync()
    } finally {
      await next.close()
    }
    await rename(`${path}.next`, path)
    await copyStragglers(former, size, path)
    return lines.join('').length
  } finally {
    await former.close()
  }
}

/** [Note: Lines of other processes] What another one has written to the former file, until it opens the new one, is reported again. */
async function copyStragglers(former: Awaited<ReturnType<typeof open>>, from: number, path: string) {
  await new Promise((over) => setTimeout(over, stragglersWithinMilliseconds))
  const { size } = await former.stat()
  if (size <= from) return
  const rest = Buffer.alloc(size - from)
  await former.read(rest, 0, rest.length, from)
  const next = await open(path, 'a', 0o600)
  await next.appendFile(rest)
  await next.close()
}
