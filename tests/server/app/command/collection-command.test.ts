import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isLong, some } from '../../../../e2e/support/length.ts'
import { deployTwo, people } from '../../../support/programs/deployments.ts'
import { hasRedisServer, needsRedisServer } from '../../../support/programs/redis-server.ts'
import { rememberPassphrases } from '../../../support/sealed-files/remembered-passphrases.ts'

rememberPassphrases()

const stores = hasRedisServer ? (['lmdb', 'redis'] as const) : (['lmdb'] as const)

/** Two deployments on the same kind of store. */
function deployedOn(on: (typeof stores)[number]) {
  let deployed: Awaited<ReturnType<typeof deployTwo>>
  beforeAll(async () => {
    deployed = await deployTwo(on)
  })
  afterAll(() => deployed?.end())
  return () => deployed
}

describe.each(some(stores))(`npm run collection, on %s${needsRedisServer}`, (on) => {
  const deployment = deployedOn(on)

  test('finishes interrupted work when it is repeated, and a searching process sees it at once', async () => {
    const deployed = deployment()
    const { from, to } = deployed
    await from.fill('interrupted', people(450, 2000))
    const file = await deployed.exported('interrupted')
    const first = await to.run('import', file, '--collection', 'again')
    const ids = (await to.faces('again')).map(({ faceId }) => faceId)
    await to.forget('again', ids.slice(200))
    await to.find('again', 2449)
    expect((await to.run('import', file, '--collection', 'again')).told).toContain('Faces added: 250')
    expect(first.code).toBe(0)
    expect(await to.find('again', 2449)).toBe(await from.find('interrupted', 2449))
  })
})

describe.each(some(stores))('npm run collection, on %s', (on) => {
  const deployment = deployedOn(on)

  test('carries a collection to another deployment unchanged, and finds it there', async () => {
    const deployed = deployment()
    const { from, to } = deployed
    await from.fill('members', people(450))
    const file = deployed.newFile()
    const written = await from.run('export', 'members', '--out', file)
    expect(written.told).toContain(`Faces written to ${file}: 450`)
    const read = await to.run('import', file)
    expect(read.told).toBe('Collection: members (new)\nFaces added: 450\nFaces that existed already: 0')
    expect(await to.faces('members')).toEqual(await from.faces('members'))
    expect(await to.find('members', 449)).toBe(await from.find('members', 449))
    const pointers = to.access.faceStore.ofExternalId(to.accountId, 'person-448')
    for await (const { faceId } of pointers) expect(faceId).toBe(await from.find('members', 448))
    expect((await to.run('list')).told).toBe('members  (faces: 450 of fr-feature/2)')
  })

  test('adds the missing faces to a collection, and says how many were there', async () => {
    const deployed = deployment()
    const { from, to } = deployed
    const faceIds = await from.fill('staff', people(300, 1000))
    const file = await deployed.exported('staff')
    await from.forget('staff', faceIds.slice(0, 120))
    const added = await from.fill('staff', [5000])
    expect((await from.run('import', file)).told).toBe(
      'Collection: staff\nFaces added: 120\nFaces that existed already: 180',
    )
    expect((await from.run('import', file)).told).toContain('Faces added: 0\nFaces that existed already: 300')
    expect((await from.faces('staff')).map(({ faceId }) => faceId)).toEqual([...faceIds, ...added].sort())
    expect((await to.run('import', file, '--collection', 'colleagues')).told).toContain(
      'Collection: colleagues (new)',
    )
    expect(await to.faces('colleagues')).toHaveLength(300)
  })

  if (isLong)
    test('carries an empty collection, and one of another model, which is reported and never mixed', async () => {
      const deployed = deployment()
      const { from, to } = deployed
      await from.access.change(from.accountId, 'empty', async (_, writer) => ({
        answer: undefined,
        change: writer.describe('Nobody yet'),
      }))
      expect((await to.run('import', await deployed.exported('empty'))).told).toContain('Faces added: 0')
      expect((await to.access.find(to.accountId, 'empty'))?.description).toBe('Nobody yet')
      await from.fill('old', people(3, 3000), 'xx-feature')
      const file = await deployed.exported('old')
      expect((await to.run('import', file)).code).toBe(0)
      expect((await to.run('list')).told).toContain('old  (faces: 3 of xx-feature)')
      const mixed = await to.run('import', file, '--collection', 'members')
      expect(mixed).toMatchObject({
        code: 1,
        errors: expect.stringContaining('xx-feature, but those of the collection have fr-feature/2'),
      })
    })

  test('ends the period of two models, and drops no person unless asked to', async () => {
    const { from } = deployment()
    await from.fill('turning', people(5, 7000), 'dlib-face/2')
    const refused = await from.run('settle', 'turning')
    expect(refused).toMatchObject({ code: 1, told: expect.stringContaining('5 faces have only') })
    expect((await from.run('list')).told).toContain('turning  (faces: 5 of dlib-face/2)')
    const settled = await from.run('settle', 'turning', '--remove-unseen')
    expect(settled).toMatchObject({ code: 0, told: expect.stringContaining('Removed faces: 5') })
    expect((await from.run('list')).told).toContain('turning  (faces: none)')
    expect((await from.run('settle', 'never there')).code).toBe(1)
    expect((await from.audit())[1]).toMatchObject({ operation: 'settleCollection', outcome: 'succeeded' })
  })

  test('records both in the audit log, including refused ones', async () => {
    const deployed = deployment()
    const { from } = deployed
    await from.fill('recorded', [1])
    const file = await deployed.exported('recorded')
    await from.answer(['not the passphrase'], 'import', file, '--collection', 'recorded')
    await from.run('import', file, '--collection', 'recorded')
    await from.run('export', 'never there', '--out', deployed.newFile())
    const entries = (await from.audit()).slice(0, 4).reverse()
    expect(entries).toMatchObject([
      { operation: 'exportCollection', resources: { collectionId: 'recorded' }, outcome: 'succeeded' },
      { operation: 'importCollection', resources: { collectionId: 'recorded' }, outcome: 'invalid_request' },
      { operation: 'importCollection', resources: { collectionId: 'recorded' }, outcome: 'succeeded' },
      { operation: 'exportCollection', resources: { collectionId: 'never there' }, outcome: 'not_found' },
    ])
    for (const { actor } of entries)
      expect(actor).toEqual({ kind: 'commandLine', keyId: null, tokenId: null })
  })
})
