import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Page } from '@playwright/test'
import { readCsv } from '#shared/picture-import/csv.ts'
import { faultsOf } from '../support/accessibility.ts'
import { photograph } from '../support/acted/clips.ts'
import { endedSession, enterConsole, testClient } from '../support/console/console-visit.ts'
import { expect, test } from '../support/fixture.ts'
import { long } from '../support/length.ts'

const photographs = resolve(import.meta.dirname, '../../../shared/data/recognition/lfw')
const exported = /\/person\/export/
/** Use more pictures for measurements: PICTURES=1000. */
const pictureCount = Number(process.env.PICTURES ?? 6)

/** A folder that contains photographs, and files without a face. */
function makeFolder(): { folder: string; files: readonly string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'selfsame-faces-'))
  const all = readdirSync(photographs).filter((name) => name.endsWith('.jpg'))
  const files = all.slice(0, pictureCount)
  for (const name of files) copyFileSync(join(photographs, name), join(folder, name))
  writeFileSync(join(folder, 'torn.jpg'), readFileSync(join(photographs, files[0]!)).subarray(0, 900))
  writeFileSync(join(folder, 'names.csv'), 'file,externalId\r\n')
  return { folder, files }
}

async function takeIn(page: Page, folder: string): Promise<void> {
  await page.getByLabel('Folder of pictures', { exact: true }).setInputFiles(folder)
  await expect(page.getByText(`Pictures chosen: ${pictureCount + 1}`)).toBeVisible()
  await page.getByLabel('Whose faces they are').selectOption('The name of the file')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(page.getByText(`Done: ${pictureCount + 1} pictures`)).toBeVisible({
    timeout: 20_000 + 2000 * pictureCount,
  })
}

async function savedReport(page: Page) {
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save the report' }).click()
  const [head = [], ...rows] = readCsv(readFileSync(await (await download).path(), 'utf8'), true).rows
  return rows.map((row) => Object.fromEntries(head.map((name, i) => [name, row[i] ?? ''])))
}

test('a folder of pictures is imported once, reported, and searched', async ({ site, browser }) => {
  test.skip(!existsSync(photographs), 'needs the photographs of ../shared/data')
  test.setTimeout(300_000 + 4000 * pictureCount)
  const { folder, files } = makeFolder()
  const { client } = await testClient(site)
  const collectionId = 'taken in'
  await client.faceRecognition.createCollection({ collectionId })
  const { page, show } = await enterConsole(site, browser, 'Takes in')
  await show('Test')
  await page.getByRole('navigation').getByRole('link', { name: 'Collections' }).click()
  await page.getByRole('link', { name: collectionId }).click()
  await page.getByRole('link', { name: 'Import', exact: true }).click()
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Choose a folder first.' })).toBeVisible()
  await takeIn(page, folder)
  await expect(page.getByText('Not readable: 1')).toBeVisible()
  expect(await faultsOf(page)).toEqual([])
  const rows = await savedReport(page)
  expect(rows.map(({ file }) => file).toSorted()).toEqual([...files, 'torn.jpg'].toSorted())
  const kept = rows.filter(({ reason }) => reason === '')
  expect(kept.length).toBeGreaterThan(pictureCount / 2)
  for (const { file, externalId } of kept) expect(`${externalId}.jpg`).toBe(file)
  const [first] = kept
  await page.getByRole('link', { name: 'Faces', exact: true }).click()
  await expect(
    page
      .getByRole('row', { name: new RegExp(kept.at(-1)!.externalId!) })
      .or(page.getByRole('button', { name: 'Show more' }))
      .first(),
  ).toBeVisible()
  await page.getByRole('link', { name: 'Import', exact: true }).click()
  await page.getByRole('button', { name: 'Import another folder' }).click()
  await takeIn(page, folder)
  await expect(page.getByText(`Already there: ${kept.length}`)).toBeVisible()
  const { faceCount } = await client.faceRecognition.getAllFaces({ collectionId })
  expect(faceCount).toBe(kept.length)
  const image = { bytes: readFileSync(join(photographs, first!.file!)).toString('base64') }
  const { candidates } = await client.faceRecognition.searchCandidates({
    image,
    collectionIds: [collectionId],
  })
  expect(candidates[0]).toMatchObject({ externalId: first!.externalId, faceId: first!.faceId })
  rmSync(folder, { recursive: true })
})

test('all data of a person is shown, and erased after a preview', async ({ site, browser }) => {
  const { client } = await testClient(site)
  const externalId = 'user-88'
  const sessionId = await endedSession(client, { externalId, result: 'passed' })
  const { page, show } = await enterConsole(site, browser, 'Shows')
  await show('Test')
  const navigation = page.getByRole('navigation', { name: 'Pages of the console' })
  await navigation.getByRole('link', { name: 'Collections' }).click()
  await page.getByLabel('External id', { exact: true }).fill(externalId)
  const answered = page.waitForResponse(exported)
  await page.getByRole('button', { name: 'Show what is kept' }).click()
  await expect(page.getByRole('heading', { level: 1, name: externalId })).toBeVisible()
  for (const name of ['Faces', 'Sessions', 'Consents', 'Passkeys'])
    await expect(page.getByRole('heading', { name, exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: sessionId.slice(0, 8) }).first()).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Sign-in at sites' })).toHaveCount(0)
  expect(await faultsOf(page)).toEqual([])
  await knownAtShop(page, await (await answered).json())
  await page.reload()
  const signIns = page.getByRole('table', { name: 'Sign-in at sites' })
  await expect(signIns.getByRole('row', { name: /shop.*what-the-shop/ })).toBeVisible()
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Erase a person' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('Sign-in at sites: 1')).toBeVisible()
  await expect(dialog.getByText('Sessions: 1')).toBeVisible()
  await expect(dialog.getByText('Faces: 0')).toBeVisible()
  expect(await faultsOf(page)).toEqual([])
  await dialog.getByLabel('Type the name again').fill(externalId)
  await dialog.getByRole('button', { name: 'Erase' }).click()
  await expect(page.getByText(/^Erased: 0 faces, 1 sessions, \d deliveries$/)).toBeVisible()
  await expect(page.getByText('Nothing is kept of this person.')).toBeVisible()
})

/** Adds a site that compared the person's face to the next export, because a real sign-in there would require a known person's visit. */
async function knownAtShop(page: Page, kept: object): Promise<void> {
  const subjects = [{ clientId: 'shop', subject: 'what-the-shop-calls-them' }]
  await page.route(exported, (route) => route.fulfill({ json: { ...kept, subjects } }), { times: 1 })
}

test(
  'a wrong external id is removed from one face, and another face is deleted',
  long,
  async ({ site, browser }) => {
    const { client } = await testClient(site)
    const [collectionId, externalId] = ['badges', 'user-89']
    await client.faceRecognition.createCollection({ collectionId })
    const image = { bytes: readFileSync(photograph).toString('base64') }
    const indexed = await Promise.all(
      [1, 2].map(() => client.faceRecognition.indexFace({ collectionId, image, externalId })),
    )
    const { page, show } = await enterConsole(site, browser, 'Corrects')
    await show('Test')
    await page.getByRole('navigation').getByRole('link', { name: 'Collections' }).click()
    await page.getByLabel('External id', { exact: true }).fill(externalId)
    await page.getByRole('button', { name: 'Show what is kept' }).click()
    const [unnamed, deleted] = indexed.map(({ faceId }) => faceId!)
    const dialog = page.getByRole('dialog')
    const correct = async (faceId: string, what: string) => {
      await page.getByRole('button', { name: `Not this person: ${faceId}` }).click()
      await dialog.getByLabel('What becomes of the face').selectOption(what)
      expect(await faultsOf(page)).toEqual([])
      await dialog.getByRole('button', { name: 'Not this person', exact: true }).click()
      await expect(page.getByRole('button', { name: `Not this person: ${faceId}` })).toBeHidden()
    }
    await correct(unnamed!, 'It stays, without a name')
    await correct(deleted!, 'It is deleted')
    const { faces } = await client.faceRecognition.getAllFaces({ collectionId })
    expect(faces.map(({ faceId, externalId }) => ({ faceId, externalId }))).toEqual([
      { faceId: unnamed, externalId: null },
    ])
  },
)
