import './playground.css'
import { useState } from 'preact/hooks'
import { OnePicture } from './one-picture.tsx'
import { PlaygroundContext, type PlaygroundTools } from './playground-context.ts'
import { TwoPictures } from './two-pictures.tsx'

const views = { one: OnePicture, two: TwoPictures } as const
type View = keyof typeof views

/** Analyses one or two of the visitor's pictures. Nothing is kept after the page is closed. */
export function Playground(tools: PlaygroundTools) {
  const { words } = tools
  const [view, setView] = useState<View>('one')
  const Shown = views[view]
  return (
    <PlaygroundContext.Provider value={tools}>
      <div class="playground" lang={words.locale} dir={words.direction}>
        <p class="play-lead">{words.lead}</p>
        <fieldset class="play-kinds">
          <legend class="play-heard">{words.kinds}</legend>
          {(Object.keys(views) as View[]).map((one) => (
            <label key={one} class={one === view ? 'is-chosen' : undefined}>
              <input
                type="radio"
                name="playground-kind"
                checked={one === view}
                onChange={() => setView(one)}
              />
              <span>{words[one]}</span>
            </label>
          ))}
        </fieldset>
        <h2 class="play-heard">{words[view]}</h2>
        <Shown />
      </div>
    </PlaygroundContext.Provider>
  )
}
