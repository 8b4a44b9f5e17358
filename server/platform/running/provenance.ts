import type { Pack } from '#models/rules/packs.ts'

const flags: Readonly<Record<Pack['name'], readonly string[]>> = {
  standard: [
    'The training data of fr-feature, fr-liveness, fr-eye and fr-detect is unknown, that of age, gender and expression partly meant for',
    'research only: have their rights reviewed before commercial use. MODEL_PACK=conservative does without them.',
  ],
  conservative: [
    'Its weights are those of MediaPipe and of dlib, whose origin is written down. Liveness, age, gender and emotion need',
    'others and are not available.',
  ],
  extended: [
    'In addition to the standard pack: its second embedding was trained on a refined MS-Celeb-1M, whose terms are',
    'disputed; the training data of its second liveness network is unknown. Have their rights reviewed before commercial use.',
  ],
}

/** A notice for operators about the networks' origin, printed at startup. */
export function provenanceOf({ name, formerModel }: Pack): readonly string[] {
  const former =
    formerModel === undefined ? [] : [`In addition: embeddings of ${formerModel}, for faces from before.`]
  return [
    `Networks: the ${name} pack.`,
    ...former,
    ...flags[name],
    'Each network has a card in models/weights/.',
  ]
}
