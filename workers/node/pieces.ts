import type { Analysis, AnalysisStages, Piece, ThreadApi } from '../api.ts'

/** The minimum duration of a piece of work. After that, it ends before the next face. */
export const pieceInMilliseconds = 50

type Analyse = (picture: Uint8Array, wanted: AnalysisStages, pause: () => Promise<void>) => Promise<Analysis>

/** The rest of a picture's analysis, which yields its next piece of work. */
interface Rest {
  goOn(tell: Tell): void
  drop(): void
}

interface Tell {
  piece(piece: Piece): void
  fault(error: unknown): void
}

const dropped = new Error('This picture was abandoned by its caller.')

/**
 * [Note: Between two faces] Analysing a picture with a hundred faces takes seconds. It is split into pieces, and an external scheduler that
 * knows all waiting pictures decides what the thread does next.
 */
export function createPieces(
  analyse: Analyse,
  now: () => number,
): Pick<ThreadApi, 'begin' | 'goOn' | 'drop'> {
  const waiting = new Map<number, Rest>()
  let last = 0

  function startOne(picture: Uint8Array, wanted: AnalysisStages, first: Tell): void {
    let tell = first
    let beganAt = now()
    const pause = async () => {
      if (now() - beganAt < pieceInMilliseconds) return
      const rest = ++last
      await new Promise<void>((goOn, fail) => {
        waiting.set(rest, {
          goOn(next) {
            tell = next
            beganAt = now()
            goOn()
          },
          drop: () => fail(dropped),
        })
        tell.piece({ rest })
      })
    }
    analyse(picture, wanted, pause).then(
      (analysis) => tell.piece({ analysis }),
      (error) => tell.fault(error),
    )
  }

  function take(rest: number): Rest {
    const found = waiting.get(rest)
    if (found === undefined) throw new Error('There is no unfinished picture with this number')
    waiting.delete(rest)
    return found
  }

  return {
    begin: (picture, wanted) => promisePiece((tell) => startOne(picture, wanted, tell)),
    goOn: (rest) => promisePiece((tell) => take(rest).goOn(tell)),
    drop: async (rest) => take(rest).drop(),
  }
}

function promisePiece(work: (tell: Tell) => void): Promise<Piece> {
  return new Promise((piece, fault) => work({ piece, fault }))
}
