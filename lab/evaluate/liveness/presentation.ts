/** The decision on one presentation (a picture or a clip) of a living person or of an attack (ISO/IEC 30107-3). */
export interface Presentation {
  /** The kind of attack, such as photo or video; undefined for a bona fide presentation. */
  readonly attackType: string | undefined
  readonly accepted: boolean
}

/** Number of wrong decisions for one kind. */
export interface Errors {
  readonly wrong: number
  readonly of: number
}

export interface PresentationErrors {
  /** Accepted attacks by kind. */
  readonly byType: ReadonlyMap<string, Errors>
  /** The kind whose attacks are accepted most often; its share is the APCER. Undefined if there are no attacks. */
  readonly worst: Errors | undefined
  /** Refused bona fide presentations; their share is the BPCER. */
  readonly bonaFide: Errors
}

/** Counts both kinds of error as ISO/IEC 30107-3 defines them: the APCER of a system is that of its worst attack type. */
export function presentationErrors(presentations: readonly Presentation[]): PresentationErrors {
  const byType = new Map<string, Errors>()
  let bonaFide: Errors = { wrong: 0, of: 0 }
  for (const { attackType, accepted } of presentations) {
    if (attackType === undefined) bonaFide = counted(bonaFide, !accepted)
    else byType.set(attackType, counted(byType.get(attackType) ?? { wrong: 0, of: 0 }, accepted))
  }
  return {
    byType,
    bonaFide,
    worst: [...byType.values()].sort((a, b) => rateOf(b) - rateOf(a) || b.of - a.of)[0],
  }
}

function counted({ wrong, of }: Errors, isWrong: boolean): Errors {
  return { wrong: wrong + Number(isWrong), of: of + 1 }
}

/** 0...1; 0 of none. */
export function rateOf({ wrong, of }: Errors): number {
  return of === 0 ? 0 : wrong / of
}
