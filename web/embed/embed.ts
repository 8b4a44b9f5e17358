import { webAddress } from './check-address.ts'
import { growFrame, placeFrame } from './frame.ts'

/** How the check is shown: in the place of the page, in a frame on it, or in a window of its own. */
export type Place =
  | { readonly place: 'page' }
  | {
      readonly place: 'frame'
      /** What the frame is put into; it fills the width, and the height where there is one. It is made higher where the frame has no room. */
      readonly container: HTMLElement
    }
  | { readonly place: 'popup' }

export type VerificationOptions = Place & {
  /** The signed link, or the captureUrl of a session: an address of the host that serves the check, https (http on loopback). */
  readonly link: string
  /** The origin of the host that serves the check: a link that leads to any other is refused. Give it where the link is not of your own making. */
  readonly origin?: string
  /** What the frame is called for those who do not see it; "Face check" where not given. */
  readonly title?: string
  /** Takes the check away again; the promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal
  /** Milliseconds within which the check must be on screen; 30,000 where not given. */
  readonly within?: number
  /** Told what keeps the check from going on, such as `expired` or `denied` (docs/integrate.md lists the words): it says so to the person, who may still mend it. */
  readonly onProblem?: (problem: string) => void
}

export interface VerificationOutcome {
  /** Where a check that fills the page would have led: your passedUrl or failedUrl with the result in its query. */
  readonly redirectedTo: string
  /** The query of that address, by name. Whoever shows the page can write it: let your server validate the signature. */
  readonly parameters: Readonly<Record<string, string>>
}

/**
 * Why there is no outcome: `blocked`, the browser opened no window; `closed`, the person closed it; `link`, no https address, or one of another origin; `unreachable`,
 * the check did not come on screen: the host is not there, or does not name your origin among those that may embed it.
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
 * Opens the check and answers when it has led somewhere. In a frame or a window the page that calls this stays, and its
 * origin must be among the embedding origins of the account. Call it from a click, or a window will not open.
 * With `page` the promise never settles: the browser leaves.
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
  /** Who will tell. A frame has its window once it is in the document. */
  readonly window: () => Window | null
  /** Rejects when the person takes it away. */
  closed(until: AbortSignal): Promise<never>
  /** The check needs so many pixels of height. */
  grow?(height: unknown): void
  remove(): void
}

function addressOf({ link, origin }: VerificationOptions): URL {
  const address = webAddress(link, location.href)
  if (address === undefined) throw new VerificationError('link', 'The link is no https address.')
  if (origin !== undefined && webAddress(origin)?.origin !== address.origin)
    throw new VerificationError('link', 'The link is of another origin.')
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

/** A window that keeps its opener needs the page under `/popup/`: the one under `/verification/` is cut off from it. */
function showWindow(address: URL): Shown {
  address.pathname = address.pathname.replace(/^\/verification\//, '/popup/')
  // Where this site sends no referrer, the check learns by its window's name who opened it. No two windows have one name.
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

/** The messages of the check; from its window and its origin, or they are somebody else's. */
function receiveMessages(
  from: Shown,
  origin: string,
  { within = longestWait, onProblem }: VerificationOptions,
  until: AbortSignal,
): Promise<VerificationOutcome> {
  return new Promise((resolve, refuse) => {
    const timer = setTimeout(
      () => refuse(new VerificationError('unreachable', 'The check did not come on screen.')),
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

/** [Note: Taken away at once] Who aborts may put the next check into the same container right away: it finds its height, and the focus, as they were. */
function aborted(signal: AbortSignal | undefined, end: () => void, until: AbortSignal): Promise<never> {
  return new Promise((_resolve, refuse) => {
    const abort = () => {
      refuse(signal?.reason)
      end()
    }
    signal?.addEventListener('abort', abort, { signal: until })
  })
}
