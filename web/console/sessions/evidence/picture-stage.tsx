import { useState } from 'preact/hooks'
import type { getEvidence } from '#shared/contract/sessions/session-evidence.ts'
import type { ResultOf } from '#shared/endpoint.ts'
import { useConsole } from '#web/console/core/console-context.ts'
import { fill } from '#web/wording/fill.ts'
import { jpeg } from './film-strip.tsx'

type Pictures = ResultOf<typeof getEvidence>['pictures']

/** One picture at a size at which a face can be judged, and small ones to choose it by. */
export function PictureStage({ pictures }: { pictures: Pictures }) {
  const { words } = useConsole()
  const { evidence, session } = words.value
  const [at, setAt] = useState(0)
  const shown = pictures[Math.min(at, pictures.length - 1)]
  if (shown === undefined) return null
  const isOneTry = new Set(pictures.map((picture) => picture.try)).size <= 1
  const captionOf = (picture: Pictures[number]) => {
    const what = picture.name === 'straight' ? evidence.straight : session.action[picture.name]
    return isOneTry ? what : fill(evidence.tried, { n: picture.try, name: what })
  }
  return (
    <figure class="stage">
      <img
        src={jpeg(shown.bytes)}
        alt={fill(evidence.picture, { name: captionOf(shown) })}
        onLoad={({ currentTarget: img }) => {
          img.parentElement!.dataset.tall = String(img.naturalHeight > img.naturalWidth)
        }}
      />
      <figcaption>
        {pictures.length === 1
          ? captionOf(shown)
          : pictures.map((picture, place) => (
              <button
                key={`${picture.try} ${picture.name}`}
                type="button"
                class="thumb"
                aria-pressed={picture === shown}
                onClick={() => setAt(place)}
              >
                <img src={jpeg(picture.bytes)} alt="" />
                {captionOf(picture)}
              </button>
            ))}
      </figcaption>
    </figure>
  )
}
