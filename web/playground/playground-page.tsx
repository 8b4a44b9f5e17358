import './playground-page.css'
import { Playground } from './playground.tsx'
import type { PlaygroundTools } from './playground-context.ts'

export function PlaygroundPage(tools: PlaygroundTools) {
  return (
    <>
      <header class="play-head">
        <a href="/demo">Selfsame</a>
      </header>
      <main class="play-main">
        <h1>{tools.words.title}</h1>
        <Playground {...tools} />
      </main>
    </>
  )
}
