import { type ReadonlySignal, signal } from '@preact/signals'
import { returnPath } from '#shared/contract/console/openid.ts'

const channelName = 'console-provider'

/** Somebody is to sign in afresh at the provider, in a window of its own. */
export interface Visit {
  readonly url: string
  /** They would not. */
  cancel(): void
}

/** Ways to the provider and back. */
export interface ProviderVisits {
  /** What waits for the person, who opens the window by a press: browsers block others. */
  readonly visiting: ReadonlySignal<Visit | null>
  /** What the provider sent back; rejects where the person would not. */
  visit(url: string): Promise<string>
  /** The next thing that another window brings and `isWanted` takes; `cancel` ends the waiting, and it stays open. */
  await(isWanted: (returned: string) => boolean): {
    readonly returned: Promise<string>
    cancel(): void
  }
  /** Tells the window that waits what came back. */
  bring(returned: string): void
}

type Channel = Pick<BroadcastChannel, 'postMessage' | 'close'> & {
  onmessage: ((event: MessageEvent) => void) | null
}

export function createProviderVisits(open: (name: string) => Channel): ProviderVisits {
  const visiting = signal<Visit | null>(null)
  return {
    visiting,
    visit: (url) =>
      new Promise((resolve, reject) => {
        const channel = open(channelName)
        const end = () => {
          visiting.value = null
          channel.close()
        }
        channel.onmessage = ({ data }) => {
          end()
          resolve(String(data))
        }
        const cancel = () => {
          end()
          reject(new Error('The person would not sign in afresh.'))
        }
        visiting.value = { url, cancel }
      }),
    await(isWanted) {
      const channel = open(channelName)
      const returned = new Promise<string>((resolve) => {
        channel.onmessage = ({ data }) => {
          if (!isWanted(String(data))) return
          channel.close()
          resolve(String(data))
        }
      })
      return { returned, cancel: () => channel.close() }
    },
    bring(returned) {
      const channel = open(channelName)
      channel.postMessage(returned)
      channel.close()
    },
  }
}

/** The query that the provider sent somebody back with; it leaves the address as it is read. Undefined at any other address. */
export function takeReturned({
  location,
  history,
}: Pick<Window, 'location' | 'history'>): string | undefined {
  if (location.pathname !== returnPath) return undefined
  const { search } = location
  history.replaceState(null, '', '/console')
  return search
}
