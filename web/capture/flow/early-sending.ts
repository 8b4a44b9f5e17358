import type { Film } from '#web/capture/analysis/film.ts'
import type { Picture } from '#web/capture/analysis/selection.ts'
import { isPassing } from '#web/capture/sending/retry.ts'
import type { EarlyBatch, SessionClient } from '#web/capture/sending/submit.ts'

/** Sends pictures while their step is acted, with the film up to them. */
export interface EarlySending {
  handIn(step: number, picture: Picture): void
  /** The step ends. The answer is called before each attempt to send that: it resolves when every batch has arrived, and sends again what did not. */
  end(): () => Promise<void>
  /** Forgets what was handed in. */
  drop(): void
}

/**
 * [Note: Batches arrive in their order] One is sent at a time. A batch whose answer was lost is sent again under its number before the step ends, which changes
 * nothing if it had arrived.
 */
export function createEarlySending(
  client: Pick<SessionClient, 'submitPictures'>,
  token: () => string,
  film: Pick<Film, 'take'>,
): EarlySending {
  let step = -1
  let batches = 0
  let lost: EarlyBatch[] = []
  let sending: Promise<void> = Promise.resolve()

  const send = (batch: EarlyBatch, mine: EarlyBatch[]) => {
    sending = sending
      .then(() => client.submitPictures(token(), batch))
      .then(
        () => undefined,
        (error) => {
          if (isPassing(error)) mine.push(batch)
        },
      )
  }

  return {
    handIn(number, picture) {
      if (number !== step) {
        step = number
        batches = 0
        lost = []
      }
      const frames = [picture]
      send({ step, batch: ++batches, frames, trail: film.take(frames) }, lost)
    },
    end() {
      const mine = lost
      return async () => {
        await sending
        for (const batch of mine.splice(0)) send(batch, mine)
        await sending
      }
    },
    drop() {
      step = -1
      lost = []
    },
  }
}
