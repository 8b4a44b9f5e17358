import type { BrowserContext } from '@playwright/test'

/** A person's position: a factor for the size in the clip, and offsets as fractions of the picture's shorter side. */
export interface Place {
  readonly size: number
  /** Towards the right of the picture, which is the person's left. */
  readonly right: number
  readonly down: number
}

/** How fast requested movements are: the change in the size factor and in the offsets, per second. */
const speeds = { size: 0.4, share: 0.2 } as const
/** How many milliseconds it takes a person to follow a new hint, and to notice that it is gone. */
const reaction = 450

interface Script {
  readonly place: Place
  readonly speeds: typeof speeds
  readonly reaction: number
}

declare global {
  interface Window {
    /** The person's current position. */
    place?: { size: number; right: number; down: number }
  }
}

/** Moves the acted person to a starting position before they follow the hints. The context must have an actor. */
export async function installPlace(context: BrowserContext, place: Place): Promise<void> {
  await context.addInitScript(standThere, { place, speeds, reaction } satisfies Script)
}

/** Runs in the page, after the actor and before anything else. */
function standThere({ place, speeds: fast, reaction: late }: Script): void {
  const at = { ...place }
  window.place = at
  let heard: { hint: string | undefined; from: number }[] = []
  let movedAt = performance.now()

  /** The hint that was shown a moment ago. */
  const followed = (now: number) => {
    const hint = document.querySelector<HTMLElement>('.hint')?.dataset.hint
    if (heard.at(-1)?.hint !== hint) heard.push({ hint, from: now + late })
    while (heard.length > 1 && heard[1]!.from <= now) heard = heard.slice(1)
    return heard[0] !== undefined && heard[0].from <= now ? heard[0].hint : undefined
  }

  const go = () => {
    const now = performance.now()
    const seconds = Math.min(0.2, (now - movedAt) / 1000)
    movedAt = now
    const step = fast.share * seconds
    const towards = (value: number) => value - Math.sign(value) * Math.min(Math.abs(value), step)
    const hint = followed(now)
    if (hint === 'closer') at.size *= Math.exp(fast.size * seconds)
    else if (hint === 'back') at.size /= Math.exp(fast.size * seconds)
    else if (hint === 'toLeft') at.right += step
    else if (hint === 'toRight') at.right -= step
    else if (hint === 'up') at.down -= step
    else if (hint === 'down') at.down += step
    else if (hint === 'intoPicture') Object.assign(at, { right: towards(at.right), down: towards(at.down) })
  }

  let copy: OffscreenCanvas | undefined

  /** Outside the picture, its edge is stretched, like a wall or a shoulder that continues. */
  window.actor.stand = (context) => {
    go()
    const { width, height } = context.canvas
    copy ??= new OffscreenCanvas(width, height)
    copy.getContext('2d', { alpha: false })!.drawImage(context.canvas, 0, 0)
    const short = Math.min(width, height)
    const [w, h] = [width * at.size, height * at.size]
    const [x, y] = [(width - w) / 2 + at.right * short, (height - h) / 2 + at.down * short]
    const columns = [
      [0, 1, 0, x],
      [0, width, x, w],
      [width - 1, 1, x + w, width - x - w],
    ] as const
    const rows = [
      [0, 1, 0, y],
      [0, height, y, h],
      [height - 1, 1, y + h, height - y - h],
    ] as const
    for (const [fromX, wide, left, across] of columns) {
      for (const [fromY, tall, top, along] of rows) {
        if (across <= 0 || along <= 0) continue
        context.drawImage(copy, fromX, fromY, wide, tall, left, top, across, along)
      }
    }
  }
}
