import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { buildClient } from '../../../build/client.ts'

export const clientBundle = 'dist/client/client.js'
/** The last file that the build writes. */
const manifest = 'dist/client/package.json'
const lock = '.cache/building-client'
const lockIsLeftAfterMilliseconds = 120_000

/** Builds `selfsame/client` if its sources are newer. If several test files ask at the same time, only one of them builds it. */
export async function ensureBuiltClient(): Promise<void> {
  mkdirSync('.cache', { recursive: true })
  for (;;) {
    if (isLocked()) await new Promise((over) => setTimeout(over, 100))
    else if (!isStale()) return
    else if (takeLock()) await buildClient().finally(() => rmSync(lock, { recursive: true }))
  }
}

function isStale(): boolean {
  if (!existsSync(clientBundle) || !existsSync(manifest)) return true
  const built = Math.min(statSync(clientBundle).mtimeMs, statSync(manifest).mtimeMs)
  const names = readdirSync('shared', { recursive: true, encoding: 'utf8' })
  return names.some((name) => statSync(join('shared', name)).mtimeMs > built)
}

/** A lock counts as free once its test has ended. */
function isLocked(): boolean {
  const stat = statSync(lock, { throwIfNoEntry: false })
  if (stat === undefined) return false
  if (Date.now() - stat.mtimeMs < lockIsLeftAfterMilliseconds) return true
  rmSync(lock, { recursive: true, force: true })
  return false
}

function takeLock(): boolean {
  try {
    mkdirSync(lock)
    return true
  } catch {
    return false
  }
}
