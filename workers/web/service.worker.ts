import type { KeepFiles } from '../api.ts'
import type { BuiltFile } from './built-file.ts'
import { createKeptFiles, isAsset } from './kept-files.ts'
import { answerPage } from './page-answer.ts'
import { shelfName } from './shelf-name.ts'

declare const self: ServiceWorkerGlobalScope
/** This build's file list, which the build inserts. */
declare const builtFiles: readonly BuiltFile[]

const files = createKeptFiles(builtFiles, {
  open: () => caches.open(shelfName),
  fetch: (address, init) => fetch(address, init),
})
const shell = builtFiles.filter((file) => file.shell).map(({ address }) => address)
const pages = everything().filter((address) => !isAsset(address))

self.addEventListener('install', (event) => event.waitUntil(files.keep(shell)))

self.addEventListener('activate', (event) => {
  const begin = async () => {
    await self.registration.navigationPreload?.enable()
    await pruneUnless(0)
    await self.clients.claim()
  }
  event.waitUntil(begin())
})

self.addEventListener('message', (event) => {
  const message = event.data as KeepFiles | { readonly type: 'SKIP_WAITING' }
  if (message.type === 'SKIP_WAITING') return void self.skipWaiting()
  const addresses = message.addresses === 'everything' ? everything() : message.addresses
  const tell = message.tellShare === true ? (share: number) => event.ports[0]?.postMessage(share) : () => {}
  const keep = async () => {
    const isKept = await files
      .keep(addresses, (kept) => tell(kept / addresses.length))
      .then(
        () => true,
        () => false,
      )
    event.ports[0]?.postMessage(isKept)
    await pruneUnless(1, addresses)
  }
  event.waitUntil(keep())
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (request.mode === 'navigate') {
    const page = request.destination === 'document' ? pageOf(pathname) : undefined
    event.respondWith(openPage(event, page))
  } else if (isAsset(pathname)) event.respondWith(files.answer(request))
})

/** Frames and unknown pages are passed through, using the request that the browser started while this worker was starting up. */
function openPage(event: FetchEvent, page: string | undefined): Promise<Response> {
  return answerPage({
    preloaded: event.preloadResponse as Promise<Response | undefined>,
    fetch: () => fetch(event.request),
    kept: async () => (page === undefined ? undefined : files.find(page)),
  })
}

/** The bare page for an address. Each kind of page has its own headers. */
function pageOf(pathname: string): string | undefined {
  return pages.find((page) => pathname === page || pathname.startsWith(`${page}/`))
}

/**
 * [Note: Old files go last] A page from an old build may still need its files, so they are kept while there are more open pages than pages that
 * have answered.
 */
async function pruneUnless(spareWindows: number, spared: Iterable<string> = []): Promise<void> {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const open = windows.filter(({ url }) => pageOf(new URL(url).pathname) !== undefined)
  if (open.length <= spareWindows) await files.prune(spared)
}

function everything(): string[] {
  return builtFiles.map(({ address }) => address)
}
