import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { PlaygroundCalls } from './playground-calls.ts'
import type { PlaygroundWording } from './wording/playground-wording.ts'

/** What every part of the playground needs. */
export interface PlaygroundTools {
  readonly words: PlaygroundWording
  readonly calls: PlaygroundCalls
  /** Where a program of the integrator's own would call: what the shown requests name. */
  readonly publicOrigin: string
}

export const PlaygroundContext = createContext<PlaygroundTools | null>(null)

/** The tools of the playground that is around. */
export function usePlayground(): PlaygroundTools {
  const tools = useContext(PlaygroundContext)
  if (tools === null) throw new Error('There is no playground around.')
  return tools
}
