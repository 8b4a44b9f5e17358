import { useState } from 'preact/hooks'
import { fill } from '#web/wording/fill.ts'
import { AnswerSection } from './answer-section.tsx'
import { AgeView, ExpressionView, GenderView, LivenessView } from './answer-views.tsx'
import { type QualityFace, sameFace } from './found-faces.ts'
import { MarkedPicture } from './marked-picture.tsx'
import type { PickedPicture } from './picked-picture.ts'
import { PictureSource } from './picture-source.tsx'
import { usePlayground } from './playground-context.ts'
import { PoseView, QualityView } from './quality-view.tsx'
import { mostFaces, shownCalls } from './shown-calls.ts'
import { useAsked } from './use-asked.ts'

/** The results of all analyses for one picture. */
export function OnePicture() {
  const { words } = usePlayground()
  const [picture, setPicture] = useState<PickedPicture>()
  if (picture === undefined) return <PictureSource label={words.one} takesPaste onPicked={setPicture} />
  return <Answers key={picture.shown} picture={picture} onRemove={() => setPicture(undefined)} />
}

interface AnswersProps {
  readonly picture: PickedPicture
  readonly onRemove: () => void
}

/** Starts all of a picture's calls at once. */
function useAnswers({ image }: PickedPicture) {
  const { calls } = usePlayground()
  const several = { image, maxFaceCount: mostFaces }
  return {
    quality: useAsked(image, () => calls.getQuality(several)),
    age: useAsked(image, () => calls.getAge(several)),
    gender: useAsked(image, () => calls.getGender(several)),
    expression: useAsked(image, () => calls.detectEmotionAttention({ image })),
    liveness: useAsked(image, () => calls.detectLiveness({ image })),
  }
}

function Answers({ picture, onRemove }: AnswersProps) {
  const { words } = usePlayground()
  const [chosen, setChosen] = useState(0)
  const { quality, age, gender, expression, liveness } = useAnswers(picture)
  const faces = quality.value?.faces ?? []
  const face = faces[chosen]
  const request = (name: keyof typeof shownCalls) => ({ ...shownCalls[name], fileName: picture.name })
  const ofFace = (view: (face: QualityFace) => preact.ComponentChildren) =>
    face === undefined ? <p>{words.noFace}</p> : view(face)
  return (
    <div class="play-columns">
      <div>
        <MarkedPicture picture={picture} faces={faces} chosen={chosen} />
        <p role="status">
          {quality.value !== undefined &&
            (faces.length === 0 ? words.noFace : fill(words.found, { n: faces.length }))}
        </p>
        <div class="play-buttons">
          {faces.length > 1 && <FaceButtons count={faces.length} chosen={chosen} onChoose={setChosen} />}
          <button type="button" class="play-press plain" onClick={onRemove}>
            {words.remove}
          </button>
        </div>
      </div>
      <div>
        <AnswerSection title={words.quality} asked={quality} request={request('quality')}>
          {() =>
            ofFace((one) => (
              <>
                <QualityView face={one} />
                <h4>{words.pose}</h4>
                <PoseView face={one} />
              </>
            ))
          }
        </AnswerSection>
        <AnswerSection title={words.age} asked={age} request={request('age')}>
          {(value) => ofFace((one) => <AgeView age={sameFace(value.faces, one.face)?.age} />)}
        </AnswerSection>
        <AnswerSection title={words.gender} asked={gender} request={request('gender')}>
          {(value) => ofFace((one) => <GenderView found={sameFace(value.faces, one.face)} />)}
        </AnswerSection>
        <AnswerSection title={words.expression} asked={expression} request={request('expression')}>
          {({ emotionsAttention }) => <ExpressionView flags={emotionsAttention} />}
        </AnswerSection>
        <AnswerSection title={words.liveness} asked={liveness} request={request('liveness')}>
          {(value) => <LivenessView found={value} />}
        </AnswerSection>
      </div>
    </div>
  )
}

interface FaceButtonsProps {
  readonly count: number
  readonly chosen: number
  readonly onChoose: (index: number) => void
}

function FaceButtons({ count, chosen, onChoose }: FaceButtonsProps) {
  const { words } = usePlayground()
  return (
    <>
      {Array.from({ length: count }, (_, i) => (
        <button
          key={i}
          type="button"
          class="play-press plain small"
          aria-pressed={i === chosen}
          onClick={() => onChoose(i)}
        >
          {fill(words.face, { n: i + 1 })}
        </button>
      ))}
    </>
  )
}
