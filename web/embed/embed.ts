import { webAddress } from './check-address.ts'
import { growFrame, placeFrame } from './frame.ts'

/** How the check is shown: in place of the page, in a frame inside it, or in a separate window. */
export type Place =
  | { readonly place: 'page' }
  | {
      readonly place: 'frame'
      /** The frame's parent. The frame fills its width and, if it has one, its height. A container that is too low is made taller. */
      readonly container: HTMLElement
    }
  | { readonly place: 'popup' }

export type VerificationOptions = Place & {
  /** The signed link, or a session's captureUrl: an https address on the host that serves the check (http on loopback). */
  readonly link: string
  /** The origin that serves the check; links to other origins are rejected. Set this if the link comes from another party. */
  readonly origin?: string
  /** The frame's title for screen readers. Defaults to "Face check". */
  readonly title?: string
  /** Removes the check when it aborts, and rejects the promise with the signal's reason. */
  readonly signal?: AbortSignal
  /** How many milliseconds the check may take to appear. Defaults to 30,000. */
  readonly within?: number
  /** Receives a problem's name, such as `expired` or `denied` (listed in docs/integrate.md). The check also explains it to the person. */
  readonly onProblem?: (problem: string) => void
}

export interface VerificationOutcome {
  /** The address that a full-page check would have navigated to: your passedUrl or failedUrl, with the result in its query. */
  readonly redirectedTo: string
  /** That address's query parameters. The embedding page could forge them, so have your server validate the signature. */
  readonly parameters: Readonly<Record<string, string>>
}

/**
 * Why there is no outcome: `blocked`, the browser opened no window; `closed`, the person closed it; `link`, not an https address, or one of another origin; `unreachable`,
 * the check did not appear: the host is down, or your origin is not among those that may embed it.
 */
export class VerificationError extends Error {
  readonly code: 'blocked' | 'closed' | 'link' | 'unreachable'

  constructor(code: VerificationError['code'], message: string) {
    super(message)
    this.name = 'VerificationError'
    this.code = code
  }
}

const closedCheckMilliseconds = 400
const longestWait = 30_000

/**
 * Opens the check and resolves with its outcome. With a frame or a window, the calling page stays open and its
 * origin must be one of the account's embedding origins. Call this from a click; otherwise, the browser blocks the window.
 * With `page`, the promise never settles, because the browser navigates away.
 * @throws {VerificationError}, or the signal's reason
 */
export async function openVerification(options: VerificationOptions): Promise<VerificationOutcome> {
  const { signal } = options
  signal?.throwIfAborted()
  const address = addressOf(options)
  if (options.place === 'page') {
    location.assign(address)
    return new Promise(() => undefined)
  }
  const shown = options.place === 'frame' ? showFrame(address, options) : showWindow(address)
  const ended = new AbortController()
  const end = () => {
    if (ended.signal.aborted) return
    ended.abort()
    shown.remove()
  }
  try {
    return await Promise.race([
      receiveMessages(shown, address.origin, options, ended.signal),
      shown.closed(ended.signal),
      aborted(signal, end, ended.signal),
    ])
  } finally {
    end()
  }
}

interface OpenPage {
  /** The window that sends messages. A frame has one once it has been added to the document. */
  readonly window: () => Window | null
  /** Rejects when the person closes the window. */
  closed(until: AbortSignal): Promise<never>
  /** Receives the height that the check needs, in pixels. */
  grow?(height: unknown): void
  remove(): void
}

function addressOf({ link, origin }: VerificationOptions): URL {
  const address = webAddress(link, location.href)
  if (address === undefined) throw new VerificationError('link', 'The link is not an https address.')
  if (origin !== undefined && webAddress(origin)?.origin !== address.origin)
    throw new VerificationError('link', 'The link belongs to another origin.')
  return address
}

function showFrame(
  address: URL,
  { container, title = 'Face check' }: Extract<VerificationOptions, { place: 'frame' }>,
): OpenPage {
  const before = document.activeElement
  const { minHeight } = container.style
  const frame = placeFrame(container, address.href, title)
  frame.focus()
  return {
    window: () => frame.contentWindow,
    closed: () => new Promise(() => undefined),
    grow: (height) => growFrame(frame, height),
    remove() {
      frame.remove()
      container.style.minHeight = minHeight
      if (before instanceof HTMLElement) before.focus()
    },
  }
}

/** Opens a popup. It keeps its opener, so it must use the page under `/popup/`; the one under `/verification/` is isolated. */
function showWindow(address: URL): OpenPage {
  address.pathname = address.pathname.replace(/^\/verification\//, '/popup/')
  // If this site sends no referrer, the window's name tells the check which origin opened it. The random part makes the name unique.
  const popup = open(address.href, `${location.origin}/#${Math.random()}`, 'popup,width=480,height=760')
  if (popup === null) throw new VerificationError('blocked', 'The browser did not open a window.')
  return {
    window: () => popup,
    closed: (until) =>
      new Promise((_resolve, refuse) => {
        const timer = setInterval(() => {
          if (popup.closed) refuse(new VerificationError('closed', 'The window was closed.'))
        }, closedCheckMilliseconds)
        until.addEventListener('abort', () => clearInterval(timer))
      }),
    remove: () => popup.close(),
  }
}

interface Message {
  readonly redirectedTo?: unknown
  readonly shown?: unknown
  readonly problem?: unknown
  readonly height?: unknown
}

/** Receives messages that come from the check's window and origin, and ignores all others. */
function receiveMessages(
  from: OpenPage,
  origin: string,
  { within = longestWait, onProblem }: VerificationOptions,
  until: AbortSignal,
): Promise<VerificationOutcome> {
  return new Promise((resolve, refuse) => {
    const timer = setTimeout(
      () => refuse(new VerificationError('unreachable', 'The check did not appear on the screen.')),
      within,
    )
    until.addEventListener('abort', () => clearTimeout(timer))
    const listen = ({ data, origin: sender, source }: MessageEvent<Message | null>) => {
      if (sender !== origin || source !== from.window() || data === null) return
      const { redirectedTo, shown, problem, height } = data
      if (shown === true) clearTimeout(timer)
      from.grow?.(height)
      if (typeof problem === 'string') onProblem?.(problem)
      const led = typeof redirectedTo === 'string' ? webAddress(redirectedTo) : undefined
      if (led === undefined) return
      resolve({ redirectedTo: redirectedTo as string, parameters: Object.fromEntries(led.searchParams) })
    }
    addEventListener('message', listen, { signal: until })
  })
}

/** [Note: Taken away at once] The caller may reuse the container right after aborting, so its height and the focus are restored synchronously. */
function aborted(signal: AbortSignal | undefined, end: () => void, until: AbortSignal): Promise<never> {
  return new Promise((_resolve, refuse) => {
    const abort = () => {
      refuse(signal?.reason)
      end()
    }
    signal?.addEventListener('abort', abort, { signal: until })
  })
}
