import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { accountProgram, collectionProgram, type Program } from '#server/app/command/programs.ts'
import { runCommand } from '#server/app/command/run.ts'
import { readSettings } from '#server/app/settings.ts'
import { createCollectionAccess } from '#server/features/recognition/collections/collection-access.ts'
import type { EnrolledFace } from '#server/features/recognition/store/face.ts'
import { openStore } from '#server/platform/store/open-store.ts'
import { openKeyRing } from '#server/platform/store/sealed/open-key-ring.ts'
import { randomEmbedding } from '../drawn/random-face.ts'
import { startRedisServer } from './redis-server.ts'

export const passphrase = 'a passphrase of some length'
export const people = (count: number, from = 0) => Array.from({ length: count }, (_, i) => from + i)

type Environment = Record<string, string>

/** A deployment with one account. The command works on it the way it does next to a running server. */
export async function deploy(env: Environment) {
  const settings = () => readSettings(env)
  async function run(program: Program, words: readonly string[], answers: readonly string[] = []) {
    const left = [...answers]
    const told: string[] = []
    const errors: string[] = []
    const code = await runCommand(program, words, settings, {
      write: (text) => told.push(text),
      error: (text) => errors.push(text),
      ask: async () => left.shift() ?? '',
    })
    return { code, told: told.join('\n'), errors: errors.join('\n') }
  }
  const made = await run(accountProgram, ['create', 'Shop', '--new-store', '--json'])
  const { accountId, apiKey } = JSON.parse(made.told) as { accountId: string; apiKey: string }
  const opened = await openStore(settings(), () => undefined)
  const { keyRing, store } = await openKeyRing(opened.store, settings())
  const access = createCollectionAccess(store, keyRing, Date.now)
  return {
    close: () => store.close(),
    access,
    accountId,
    apiKey,
    run: (...words: string[]) => run(collectionProgram, words, [passphrase, passphrase]),
    answer: (answers: readonly string[], ...words: string[]) => run(collectionProgram, words, answers),
    audit: async () => {
      const { told } = await run(accountProgram, ['audit', '--json'])
      return JSON.parse(told).entries as {
        operation: string
        resources: object
        outcome: string
        actor: object
      }[]
    },
    fill: (collectionId: string, seeds: readonly number[], embeddingModel = 'fr-feature/2') =>
      access.change(accountId, collectionId, async (_, writer) => {
        const change = writer.addSeveral(
          seeds.map((seed) => ({
            embedding: randomEmbedding(seed),
            embeddingModel,
            externalId: seed % 2 === 0 ? `person-${seed}` : null,
          })),
        )
        return { answer: change.faceIds, change }
      }),
    async faces(collectionId: string): Promise<EnrolledFace[]> {
      const found: EnrolledFace[] = []
      const opened = await access.use(accountId, collectionId, async (collection) => collection)
      for await (const face of opened.list()) found.push(face)
      return found.sort((a, b) => a.faceId.localeCompare(b.faceId))
    },
    find: (collectionId: string, seed: number) =>
      access.use(accountId, collectionId, async (collection) => {
        const hit = await collection.closest({ first: randomEmbedding(seed) }, 80)
        return hit?.face.faceId
      }),
    forget: (collectionId: string, faceIds: readonly string[]) =>
      access.change(accountId, collectionId, async (_, writer) => ({
        answer: undefined,
        change: await writer.remove(faceIds),
      })),
  }
}

/** Two separate deployments with their own stores, and a folder for files that are moved between them. */
export async function deployTwo(on: 'lmdb' | 'redis') {
  const folder = await mkdtemp(join(tmpdir(), 'selfsame-collection-'))
  const servers = on === 'redis' ? [await startRedisServer(), await startRedisServer()] : []
  const environment = (i: number): Environment => ({
    DATA_DIR: join(folder, `data-${i}`),
    SECRET: `a secret of thirty-two characters ${i}`,
    ...(servers[i] && { STORE: servers[i].address }),
  })
  const [from, to] = [await deploy(environment(0)), await deploy(environment(1))]
  let files = 0
  const newFile = () => join(folder, `faces-${++files}`)
  return {
    from,
    to,
    newFile,
    /** Exports from the first deployment. Returns the file. */
    async exported(collectionId: string): Promise<string> {
      const file = newFile()
      expect(await from.run('export', collectionId, '--out', file)).toMatchObject({ code: 0, errors: '' })
      return file
    },
    async end() {
      await from.close()
      await to.close()
      for (const server of servers) await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
