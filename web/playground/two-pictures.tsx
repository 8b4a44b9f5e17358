import { useState } from 'preact/hooks'
import { compareFaceEmbeddings, getFaceEmbeddings } from '#shared/contract/analysis/face-verification.ts'
import { Awaited } from './answer-section.tsx'
import type { PickedPicture } from './picked-picture.ts'
import { PictureSource } from './picture-source.tsx'
import { usePlayground } from './playground-context.ts'
import { RequestNote } from './request-note.tsx'
import { curlOfComparison, typescriptOfComparison } from './shown-request.ts'
import { SimilarityScale } from './similarity-scale.tsx'
import { useAsked } from './use-asked.ts'

/** Compares the faces in two pictures. */
export function TwoPictures() {
  const { words } = usePlayground()
  const [first, setFirst] = useState<PickedPicture>()
  const [second, setSecond] = useState<PickedPicture>()
  return (
    <>
      <div class="play-columns even">
        <Slot label={words.first} picture={first} takesPaste={first === undefined} onChange={setFirst} />
        <Slot
          label={words.second}
          picture={second}
          takesPaste={first !== undefined && second === undefined}
          onChange={setSecond}
        />
      </div>
      {first !== undefined && second !== undefined ? (
        <Comparison key={`${first.shown} ${second.shown}`} first={first} second={second} />
      ) : (
        <p class="play-muted">{words.bothNeeded}</p>
      )}
    </>
  )
}

interface SlotProps {
  readonly label: string
  readonly picture: PickedPicture | undefined
  readonly takesPaste: boolean
  readonly onChange: (picture: PickedPicture | undefined) => void
}

function Slot({ label, picture, takesPaste, onChange }: SlotProps) {
  const { words } = usePlayground()
  if (picture === undefined)
    return <PictureSource label={label} takesPaste={takesPaste} onPicked={onChange} />
  return (
    <section class="play-slot" aria-label={label}>
      <img class="play-thumb" src={picture.shown} alt={picture.name} />
      <button type="button" class="play-press plain" onClick={() => onChange(undefined)}>
        {words.remove}
        <span class="play-heard">: {label}</span>
      </button>
    </section>
  )
}

function Comparison({ first, second }: { first: PickedPicture; second: PickedPicture }) {
  const { words, calls, publicOrigin } = usePlayground()
  const asked = useAsked(first.image.bytes + second.image.bytes, async () => {
    const [embedding1, embedding2] = await Promise.all(
      [first, second].map(async ({ image }) => {
        const { faces } = await calls.getFaceEmbeddings({ image })
        return faces?.[0]?.embedding ?? null
      }),
    )
    if (embedding1 == null || embedding2 == null) return null
    return (await calls.compareFaceEmbeddings({ embedding1, embedding2 })).similarity
  })
  const request = {
    embedPath: getFaceEmbeddings.path,
    comparePath: compareFaceEmbeddings.path,
    fileNames: [first.name, second.name],
  } as const
  return (
    <section class="play-answer" aria-label={words.comparison}>
      <h3>{words.comparison}</h3>
      <div aria-live="polite">
        <Awaited asked={asked}>
          {(similarity) =>
            similarity === null ? <p>{words.noFace}</p> : <SimilarityScale similarity={similarity} />
          }
        </Awaited>
      </div>
      <p class="play-muted">{words.largestOfEach}</p>
      <RequestNote
        curl={curlOfComparison(publicOrigin, request)}
        typescript={typescriptOfComparison(publicOrigin, request)}
      />
    </section>
  )
}
