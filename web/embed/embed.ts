import { webAddress } from './check-address.ts'
import { growFrame, placeFrame } from './frame.ts'

/** How the check is shown: instead of the page, in a frame on it, or in a separate window. */
export type Place =
  | { readonly place: 'page' }
  | {
      readonly place: 'frame'
      /** The parent of the frame. The frame fills its width and, if it has one, its height. A container that is too low is made higher. */
      readonly container: HTMLElement
    }
  | { readonly place: 'popup' }

export type VerificationOptions = Place & {
  /** The signed link, or the captureUrl of a session: an https address of the host that serves the check (http on loopback). */
  readonly link: string
  /** The origin of the host that serves the check; links to other origins are rejected. Set it if the link comes from another party. */
  readonly origin?: string
  /** Title of the frame for screen readers; "Face check" by default. */
  readonly title?: string
  /** Removes the check; the promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal
  /** Milliseconds within which the check must appear; 30,000 by default. */
  readonly within?: number
  /** Receives the name of an obstacle, such as `expired` or `denied` (docs/integrate.md lists the names). The check also explains it to the person, who may be able to fix it. */
  readonly onProblem?: (problem: string) => void
}

export interface VerificationOutcome {
  /** The destination that a full-page check would have navigated to: your passedUrl or failedUrl with the result in its query. */
  readonly redirectedTo: string
  /** Query parameters of that address. The embedding page could forge them, so let your server validate the signature. */
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
 * Opens the check and resolves with its outcome. With a frame or a window the calling page stays open, and its
 * origin must be among the embedding origins of the account. Call it from a click, otherwise no window opens.
 * With `page` the promise never settles, because the browser navigates away.
 * @throws {VerificationError} and the reason of the signal
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

interface Shown {
  /** The window that sends messages. A frame has one after it was added to the document. */
  readonly window: () => Window | null
  /** Rejects when the person closes it. */
  closed(until: AbortSignal): Promise<never>
  /** Called with the height in pixels that the check needs. */
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
): Shown {
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

/** A popup that keeps its opener must use the page under `/popup/`, because the one under `/verification/` is isolated from it. */
function showWindow(address: URL): Shown {
  address.pathname = address.pathname.replace(/^\/verification\//, '/popup/')
  // If this site sends no referrer, the window's name tells the check who opened it. The random part makes the name unique.
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

/** Receives messages from the check's window and origin, and ignores all others. */
function receiveMessages(
  from: Shown,
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

/** [Note: Taken away at once] The caller may put the next check into the same container right after aborting, so its height and the focus are restored synchronously. */
function aborted(signal: AbortSignal | undefined, end: () => void, until: AbortSignal): Promise<never> {
  return new Promise((_resolve, refuse) => {
    const abort = () => {
      refuse(signal?.reason)
      end()
    }
    signal?.addEventListener('abort', abort, { signal: until })
  })
}
