import { useEffect, useState } from 'preact/hooks'
import { consoleBasePath, showingOf } from '#shared/contract/console/console-paths.ts'
import { guardedFetch } from '#web/console/core/calls.ts'
import { useConsole, useMe } from '#web/console/core/console-context.ts'
import { Section } from '#web/console/ui/pieces.tsx'
import { Playground } from '#web/playground/playground.tsx'
import { createPlaygroundCalls } from '#web/playground/playground-calls.ts'
import { loadPlaygroundWording } from '#web/playground/wording/playground-languages.ts'
import type { PlaygroundWording } from '#web/playground/wording/playground-wording.ts'

/** The playground inside the console. It uses the current sign-in for its calls. */
export function ConsolePlayground() {
  const { words, membership } = useConsole()
  const me = useMe()
  const { locale, developers } = words.value
  const [spoken, setSpoken] = useState<PlaygroundWording>()
  const [calls] = useState(() =>
    createPlaygroundCalls({
      origin: location.origin + consoleBasePath,
      fetch: guardedFetch((address, init) => fetch(address, init), membership.gate, showingOf(me)),
      credentialFor: async () => undefined,
    }),
  )
  useEffect(() => void loadPlaygroundWording([locale]).then(setSpoken), [locale])
  return (
    <Section title={developers.tabs.playground}>
      {spoken === undefined ? (
        <div class="room" aria-busy="true" />
      ) : (
        <Playground words={spoken} calls={calls} publicOrigin={location.origin} />
      )}
    </Section>
  )
}
