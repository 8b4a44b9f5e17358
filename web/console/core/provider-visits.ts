import { type ReadonlySignal, signal } from '@preact/signals'
import { returnPath } from '#shared/contract/console/openid.ts'

const channelName = 'console-provider'

/** A pending sign-in at the provider, which happens in a separate window. */
export interface Visit {
  readonly url: string
  /** The person declined. */
  cancel(): void
}

/** Keeps track of sign-ins at the provider and their answers. */
export interface ProviderVisits {
  /** The visit that is waiting for a click, because browsers block windows that open without one. */
  readonly visiting: ReadonlySignal<Visit | null>
  /** Resolves with the provider's answer. Rejects if the person declines. */
  visit(url: string): Promise<string>
  /** Waits for the next answer from another window that `isWanted` accepts. `cancel` stops waiting but leaves the window open. */
  await(isWanted: (returned: string) => boolean): {
    readonly returned: Promise<string>
    cancel(): void
  }
  /** Passes an answer to the window that is waiting for it. */
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
          reject(new Error('The person cancelled the new sign-in.'))
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

/** Reads the provider's answer from the query and removes it from the address. Undefined at any other address. */
export function takeReturned({
  location,
  history,
}: Pick<Window, 'location' | 'history'>): string | undefined {
  if (location.pathname !== returnPath) return undefined
  const { search } = location
  history.replaceState(null, '', '/console')
  return search
}
