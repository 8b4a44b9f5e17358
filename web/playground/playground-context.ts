import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { PlaygroundCalls } from './playground-calls.ts'
import type { PlaygroundWording } from './wording/playground-wording.ts'

/** Tools that all parts of the playground share. */
export interface PlaygroundTools {
  readonly words: PlaygroundWording
  readonly calls: PlaygroundCalls
  /** The origin that the shown requests name, which is where an integrator's program would call the API. */
  readonly publicOrigin: string
}

export const PlaygroundContext = createContext<PlaygroundTools | null>(null)

/** Returns the tools that the surrounding playground provides. */
export function usePlayground(): PlaygroundTools {
  const tools = useContext(PlaygroundContext)
  if (tools === null) throw new Error('usePlayground must be used inside the playground.')
  return tools
}
