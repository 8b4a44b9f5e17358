import { render } from 'preact'
import type { Fetch } from '#shared/call.ts'
import { createDemoToken } from './demo-token.ts'
import { createPlaygroundCalls } from './playground-calls.ts'
import { PlaygroundPage } from './playground-page.tsx'
import { loadPlaygroundWording } from './wording/playground-languages.ts'

const plainFetch: Fetch = (address, init) => fetch(address, init)
const tokenOfDemo = createDemoToken(location.origin, plainFetch)
const calls = createPlaygroundCalls({
  origin: location.origin,
  fetch: plainFetch,
  credentialFor: async () => ({ bearer: await tokenOfDemo() }),
})
const words = await loadPlaygroundWording(navigator.languages)
document.documentElement.lang = words.locale
document.documentElement.dir = words.direction
document.title = `${words.title} · Selfsame demo`
render(
  <PlaygroundPage words={words} calls={calls} publicOrigin={location.origin} />,
  document.getElementById('app')!,
)
