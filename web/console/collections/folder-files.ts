import type { FolderPicture } from './folder-import.ts'

/** The pictures in a folder that was chosen in a file field, with paths relative to that folder. */
export function chosenPictures(files: Iterable<File>): FolderPicture[] {
  const all = [...files].map((file) => ({ path: belowFolder(file.webkitRelativePath || file.name), file }))
  return inOrder(all)
}

/** The pictures in dropped folders and files. Call it during the drop event, because the items are gone afterwards. */
export async function droppedPictures(items: DataTransferItemList): Promise<FolderPicture[]> {
  const entries = [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null)
  const found = await Promise.all(entries.map((entry) => readPictures(entry, '')))
  return inOrder(
    found.flat().map(({ path, file }) => ({ path: entries.length === 1 ? belowFolder(path) : path, file })),
  )
}

async function readPictures(entry: FileSystemEntry, within: string): Promise<FolderPicture[]> {
  const path = `${within}${entry.name}`
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    )
    return [{ path, file }]
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const entries: FileSystemEntry[] = []
  // The reader returns up to a hundred entries at a time, and an empty list at the end.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (some.length === 0) break
    entries.push(...some)
  }
  return (await Promise.all(entries.map((one) => readPictures(one, `${path}/`)))).flat()
}

function belowFolder(path: string): string {
  return path.includes('/') ? path.slice(path.indexOf('/') + 1) : path
}

/** Sorts pictures in the same order as the command-line import, without hidden files and tables. */
function inOrder(all: readonly FolderPicture[]): FolderPicture[] {
  return all
    .filter(({ path }) => !/\.csv$/i.test(path) && !path.split('/').some((part) => part.startsWith('.')))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
}
