import type { Page } from '@playwright/test'

/** Everything that an origin stores on the device, except for the tab's session record. */
export interface Kept {
  /** The path and query of each file in Cache Storage. */
  readonly files: readonly string[]
  readonly databases: readonly (string | undefined)[]
  readonly local: readonly string[]
}

/** Reads the stored data. */
export function keptBy(page: Page): Promise<Kept> {
  return page.evaluate(async () => {
    const files: string[] = []
    for (const name of await caches.keys()) {
      for (const { url } of await (await caches.open(name)).keys())
        files.push(url.slice(location.origin.length))
    }
    const databases = (await indexedDB.databases()).map(({ name }) => name)
    return { files, databases, local: Object.keys(localStorage) }
  })
}

/** The stored assets' names without their hashes. */
export async function namesKeptBy(page: Page): Promise<string[]> {
  const { files } = await keptBy(page)
  return files.map((file) => /^\/assets\/([a-zA-Z.-]+?)-[\w-]{8}\./.exec(file)?.[1] ?? file.split('?')[0]!)
}

/** True if any of the stored files contains any of these texts. */
export function isKeptAnywhere(page: Page, texts: readonly string[]): Promise<boolean> {
  return page.evaluate(async (wanted) => {
    for (const name of await caches.keys()) {
      const shelf = await caches.open(name)
      for (const request of await shelf.keys()) {
        const text = request.url + (await (await shelf.match(request, { ignoreVary: true }))!.text())
        if (wanted.some((one) => text.includes(one))) return true
      }
    }
    return false
  }, texts)
}
