import type { Film } from '#web/capture/analysis/film.ts'
import type { Picture } from '#web/capture/analysis/selection.ts'
import { isPassing } from '#web/capture/sending/retry.ts'
import type { EarlyBatch, SessionClient } from '#web/capture/sending/submit.ts'

/** Sends pictures while their step is acted, with the film up to them. */
export interface EarlySending {
  handIn(step: number, picture: Picture): void
  /** Ends the step. Call the result before each attempt to submit the step: it sends what did not arrive yet, and resolves when that was tried. */
  end(): () => Promise<void>
  /** Forgets what was handed in. */
  drop(): void
}

/**
 * [Note: Batches arrive in order] One batch is sent at a time, and later ones wait for one that did not arrive, because the server takes pictures whose times
 * go back for a forgery. A batch whose answer was lost is sent again under its number, which changes nothing if it had arrived.
 */
export function createEarlySending(
  client: Pick<SessionClient, 'submitPictures'>,
  token: () => string,
  film: Pick<Film, 'take'>,
): EarlySending {
  let step = -1
  let batches = 0
  let waiting: EarlyBatch[] = []
  let sending: Promise<void> = Promise.resolve()

  /** Sends from the first on, until one does not arrive. */
  const send = async (mine: EarlyBatch[]) => {
    for (let first = mine[0]; first !== undefined; first = mine[0]) {
      try {
        await client.submitPictures(token(), first)
      } catch (error) {
        if (isPassing(error)) return
      }
      mine.shift()
    }
  }
  const sendInTurn = (mine: EarlyBatch[]) => {
    sending = sending.then(() => send(mine))
    return sending
  }

  return {
    handIn(number, picture) {
      if (number !== step) {
        step = number
        batches = 0
        waiting = []
      }
      const frames = [picture]
      waiting.push({ step, batch: ++batches, frames, trail: film.take(frames) })
      sendInTurn(waiting)
    },
    end() {
      const mine = waiting
      return () => sendInTurn(mine)
    },
    drop() {
      step = -1
      waiting = []
    },
  }
}
