import { expect, test } from 'vitest'
import { chosenPictures, droppedPictures } from '#web/console/collections/folder-files.ts'

const fileAt = (path: string) =>
  Object.defineProperty(new File(['x'], path.split('/').at(-1)!), 'webkitRelativePath', { value: path })

test('the pictures of a chosen folder count by their paths, in order, without tables and hidden files', () => {
  const files = [
    'faces/b/1.jpg',
    'faces/a.jpg',
    'faces/names.csv',
    'faces/.hidden/2.jpg',
    'faces/b/.x.jpg',
  ].map(fileAt)
  expect(chosenPictures(files).map(({ path }) => path)).toEqual(['a.jpg', 'b/1.jpg'])
})

/** A dropped folder's entries as a browser lists them, a hundred at a time. */
function entryOf(name: string, content: readonly object[] | undefined): object {
  if (content === undefined)
    return { name, isFile: true, file: (done: (file: File) => void) => done(new File(['x'], name)) }
  return {
    name,
    isFile: false,
    createReader() {
      let at = 0
      return {
        readEntries(done: (entries: readonly object[]) => void) {
          done(content.slice(at, at + 100))
          at += 100
        },
      }
    },
  }
}

test('every picture of a dropped folder is found, however many there are', async () => {
  const many = Array.from({ length: 250 }, (_, i) => entryOf(`${i}.jpg`, undefined))
  const folder = entryOf('faces', [
    ...many,
    entryOf('within', [entryOf('z.png', undefined), entryOf('t.csv', undefined)]),
  ])
  const items = [{ webkitGetAsEntry: () => folder }, { webkitGetAsEntry: () => null }]
  const found = await droppedPictures(items as unknown as DataTransferItemList)
  expect(found).toHaveLength(251)
  expect(found.map(({ path }) => path)).toContain('within/z.png')
})
