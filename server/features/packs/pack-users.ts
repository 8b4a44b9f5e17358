import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { recipeOf } from '#models/rules/pack-recipe.ts'
import type { PackName } from '#models/rules/packs.ts'

/** A server that has not reported for this long is no longer running, and its process ID may belong to another process. */
const silentAfterMilliseconds = 150_000

/** A server that uses an installed pack. */
export interface PackUser {
  readonly pack: PackName
  readonly host: string
  readonly pid: number
}

/** A running server's report. */
export interface PackUse {
  /** Reports again that the server is running. Called in every sweep. */
  renew(): Promise<void>
  end(): Promise<void>
}

/**
 * [Note: A running server says what it uses] Each server writes a file next to the packs, so that none is removed while in
 * use. Packs in a read-only folder cannot be removed anyway, so nothing is written there.
 */
export async function notePackUse(pack: PackName, packsDir: string): Promise<PackUse> {
  if (recipeOf(pack) === undefined) return { renew: async () => undefined, end: async () => undefined }
  const user: PackUser = { pack, host: hostname(), pid: process.pid }
  const folder = folderOfUsers(packsDir)
  const path = join(folder, `${encodeURIComponent(user.host)}-${user.pid}.json`)
  const renew = async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(path, JSON.stringify(user), { mode: 0o600 })
  }
  const quietly = (work: () => Promise<void>) => async () => void (await work().catch(() => undefined))
  await quietly(renew)()
  return { renew: quietly(renew), end: quietly(() => rm(path, { force: true })) }
}

/** The servers that currently use a pack: those that reported recently and, on this machine, still have a running process. */
export async function listPackUsers(
  pack: PackName,
  packsDir: string,
  now: () => number,
): Promise<PackUser[]> {
  const folder = folderOfUsers(packsDir)
  const names = await readdir(folder).catch(() => [])
  const users: PackUser[] = []
  for (const name of names) {
    const path = join(folder, name)
    const user = await readFile(path, 'utf8')
      .then((text) => JSON.parse(text) as PackUser)
      .catch(() => undefined)
    if (user?.pack !== pack) continue
    const isRecent = now() - (await readTime(path)) < silentAfterMilliseconds
    if (isRecent && (user.host !== hostname() || isAlive(user.pid))) users.push(user)
  }
  return users
}

function folderOfUsers(packsDir: string): string {
  return join(packsDir, 'users')
}

async function readTime(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.mtimeMs ?? Number.NEGATIVE_INFINITY
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
