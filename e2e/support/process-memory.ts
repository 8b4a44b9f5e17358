import { readFile } from 'node:fs/promises'
import type { Browser } from '@playwright/test'

/**
 * The private memory of a browser's largest page process in bytes, including WebAssembly, pictures and objects;
 * undefined on systems other than Linux.
 */
export async function pageProcessMemory(browser: Browser): Promise<number | undefined> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  const pages = processInfo.filter(({ type }) => type === 'renderer')
  const held = await Promise.all(pages.map(({ id }) => anonymousMemory(id)))
  const known = held.filter((bytes) => bytes !== undefined)
  return known.length === 0 ? undefined : Math.max(...known)
}

async function anonymousMemory(id: number): Promise<number | undefined> {
  // The browser's own interface also uses a process of this type.
  const command = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')
  if (command.includes('top-chrome-webui')) return undefined
  const status = await readFile(`/proc/${id}/status`, 'utf8').catch(() => '')
  const kilobytes = /^RssAnon:\s+(\d+) kB/m.exec(status)?.[1]
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
}
