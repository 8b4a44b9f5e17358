import '../../long-alone.ts'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createCollection, getAllCollections } from '#shared/contract/recognition/recognition.ts'
import { createFailingDisk, hasCompiler, needsCompiler } from '../../support/programs/failing-disk.ts'
import { type ServerProcess, startProcess, stillLoading } from '../../support/programs/server-process.ts'

test.skipIf(!hasCompiler)(
  `a failing disk page at the root of the store ends the process with a message; a new one continues${needsCompiler}`,
  async () => {
    const disk = createFailingDisk()
    const folder = await mkdtemp(join(tmpdir(), 'selfsame-failing-'))
    const env = { ...stillLoading, ...disk.env, DATA_DIR: folder, DEMO: 'false' }
    const server = await startProcess(env)
    const { apiKey } = server
    let said = ''
    server.child.stderr!.on('data', (text) => {
      said += text
    })
    try {
      await server.call(createCollection, { body: { collectionId: 'kept' } })
      // Not `exit`, because the last output may arrive later than that.
      const ended = once(server.child, 'close')
      disk.fail()
      const refused = server.call(createCollection, { body: { collectionId: 'lost' } })
      await expect(refused).rejects.toMatchObject({ status: 503, code: 'store_read_only' })
      expect(await ended).toEqual([null, 'SIGKILL'])
      expect(said).toContain('The store is lost until it is reopened: the process ends')
      const namesOf = async (of: ServerProcess) =>
        (await of.call(getAllCollections, { apiKey })).collections.map(({ collectionId }) => collectionId)
      const reading = await startProcess(env)
      expect(await namesOf(reading)).toEqual(['kept'])
      await reading.stop('SIGKILL')
      disk.mend()
      const again = await startProcess(env)
      expect(await namesOf(again)).toEqual(['kept'])
      await again.call(createCollection, { apiKey, body: { collectionId: 'later' } })
      expect((await namesOf(again)).sort()).toEqual(['kept', 'later'])
      await again.stop('SIGKILL')
    } finally {
      if (server.child.exitCode === null) server.child.kill('SIGKILL')
      disk.remove()
      await rm(folder, { recursive: true, force: true })
    }
  },
)
