import type { Film } from '#web/capture/analysis/film.ts'
import type { Picture } from '#web/capture/analysis/selection.ts'
import { isPassing, UnsentError } from '#web/capture/sending/retry.ts'
import type { EarlyBatch, SessionClient } from '#web/capture/sending/submit.ts'

/** Sends pictures, and the film up to them, while their step is still in progress. */
export interface EarlySending {
  handIn(step: number, picture: Picture): void
  /**
   * Ends the step. Call the returned function before each attempt to submit the step. It sends the batches that have not arrived yet, and
   * rejects if they still do not, because the step would be judged without them.
   */
  end(): () => Promise<void>
  /** Discards everything that was handed in. */
  drop(): void
}

/**
 * [Note: Batches arrive in order] Batches are sent one at a time, and later ones wait until earlier ones have arrived, because the
 * server treats times that go backwards as forgery. A batch without an answer is sent again with the same number, which is harmless.
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

  /** Sends the batches from the first one on, and stops at the first that does not arrive. */
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
      return async () => {
        await sendInTurn(mine)
        if (mine.length > 0) throw new UnsentError('pictures of the step are still to be sent')
      }
    },
    drop() {
      step = -1
      waiting = []
    },
  }
}
