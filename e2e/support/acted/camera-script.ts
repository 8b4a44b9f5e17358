/** How the acted camera plays a clip. */
export interface CameraScript {
  /** In base64, if the script includes them. */
  readonly pictures: readonly string[] | null
  readonly frames: number
  readonly framesPerSecond: number
  /** Pictures per second. */
  readonly rate: number
  readonly segments: readonly { action: string; first: number; last: number }[]
  readonly manner: 'asked' | 'loop'
  readonly gain: number
  readonly noise: number
  readonly offset: number
  readonly motion: 'held' | 'panned' | 'tilted' | null
  readonly comesCloser: boolean
  readonly turnsWrongFirst: 'corrected' | 'untilHint' | 'kept' | null
  readonly reaction: readonly [number, number]
  readonly wayBack: readonly [number, number]
}

declare global {
  interface Window {
    actor: {
      play(action: string | null): void
      vanish(): void
      /** Applies a CSS filter to every picture until the next call. */
      spoil(filter: string): void
      tracksOn(): number
      /** True if the head is straight, meaning that no action is in progress and the return is complete. */
      isStraight(): boolean
      /** Moves the drawn picture to the person's position. */
      stand?(context: CanvasRenderingContext2D): void
    }
  }
}

/** Runs in the page, before anything else. */
export function actAsCamera(script: CameraScript): void {
  let bitmaps: Promise<ImageBitmap[]> | undefined
  let asked: { action: string | null; from: number } = { action: null, from: 0 }
  let act = { action: null as string | null, startedAt: performance.now(), offset: script.offset }
  let wayBack: { from: number; to: number; startedAt: number; takes: number } | undefined
  let tracks: MediaStreamTrack[] = []
  const given: MediaStreamTrack[] = []
  let spoiling = ''

  const otherWay: Readonly<Record<string, string>> = { turnLeft: 'turnRight', turnRight: 'turnLeft' }
  /** Milliseconds until people notice that they turn the wrong way, and the longest time that they stay turned after the action counted. */
  const [noticesAfter, longestTurned] = [900, 1000]
  let turnsWrong = script.turnsWrongFirst !== null
  let requested: string | null = null
  /** The requested action while the head is turned the other way. */
  let mistaken: string | null = null
  const plan = (name: string | null, action: string | null, after: number) =>
    setTimeout(() => {
      if (requested === name) asked = { action, from: performance.now() }
    }, after)

  window.actor = {
    play(name) {
      if (name === requested) return
      requested = name
      const reads = between(script.reaction)
      const wrong = turnsWrong && name !== null ? otherWay[name] : undefined
      // People look straight again when their action has counted, even if they still read the next instruction.
      if (asked.action !== null) plan(name, null, Math.min(reads, longestTurned))
      plan(name, wrong ?? name, reads)
      mistaken = wrong === undefined ? null : name
      if (wrong === undefined) return
      turnsWrong = false
      if (script.turnsWrongFirst === 'corrected') plan(name, name, reads + noticesAfter)
    },
    spoil(filter) {
      spoiling = filter
    },
    isStraight: () => act.action === null && wayBack === undefined,
    tracksOn: () => given.filter(({ readyState }) => readyState === 'live').length,
    vanish() {
      for (const track of tracks) {
        track.stop()
        track.dispatchEvent(new Event('ended'))
      }
    },
  }

  const between = ([least, most]: readonly [number, number]) => least + Math.random() * (most - least)

  const load = () =>
    Promise.all(
      Array.from({ length: script.frames }, async (_, index) => createImageBitmap(await pictureOf(index))),
    )

  const pictureOf = async (index: number) => {
    if (script.pictures === null) return (await fetch(`/__actor/${index}`)).blob()
    return new Blob([Uint8Array.from(atob(script.pictures[index]!), (letter) => letter.charCodeAt(0))])
  }

  /** Adjusts the brightness. A CSS filter would take thirty times longer and delay the camera. */
  const light = (context: CanvasRenderingContext2D) => {
    const { width, height } = context.canvas
    const share = script.gain > 1 ? 1 - 1 / script.gain : 1 - script.gain
    const level = Math.round(255 * share)
    context.globalCompositeOperation = script.gain > 1 ? 'color-dodge' : 'source-over'
    context.fillStyle = script.gain > 1 ? `rgb(${level} ${level} ${level})` : `rgb(0 0 0 / ${share})`
    context.fillRect(0, 0, width, height)
    context.globalCompositeOperation = 'source-over'
  }

  const segmentOf = (action: string | null) => {
    const isStraight = action === null || (action === 'comeCloser' && script.comesCloser)
    const segments = script.segments.filter((segment) => segment.action === (isStraight ? 'frontal' : action))
    return segments[Math.floor(script.offset * segments.length) % Math.max(1, segments.length)]
  }

  const frameOf = ({ action, startedAt, offset }: typeof act) => {
    const played = ((performance.now() - startedAt) / 1000) * script.framesPerSecond
    const segment = segmentOf(action)
    if (script.manner === 'loop' || segment === undefined) {
      return Math.floor(offset * script.frames + played) % script.frames
    }
    const { first, last } = segment
    const length = last - first
    // Plays back and forth, because no person jumps from the end of a movement to the beginning.
    const at = Math.floor(offset * length + played) % Math.max(1, 2 * length)
    return first + Math.min(at, 2 * length - at)
  }

  /** Starts the requested action after a reading time. It first returns from the previous one by playing that backwards. */
  const react = (now: number) => {
    const isCalled = now >= asked.from
    if (wayBack === undefined) {
      if (!isCalled || asked.action === act.action) return
      const left = segmentOf(act.action)
      if (act.action !== null && left !== undefined)
        wayBack = { from: frameOf(act), to: left.first, startedAt: now, takes: between(script.wayBack) }
    }
    if (wayBack !== undefined && now < wayBack.startedAt + wayBack.takes) return
    wayBack = undefined
    const action = isCalled ? asked.action : null
    act = { action, startedAt: now, offset: Math.random() * (action === null ? 1 : 0.15) }
  }

  const frameNow = () => {
    const now = performance.now()
    react(now)
    if (wayBack === undefined) return frameOf(act)
    const { from, to, startedAt, takes } = wayBack
    return Math.round(from + (to - from) * Math.min(1, (now - startedAt) / takes))
  }

  const noiseTile = () => {
    const tile = document.createElement('canvas')
    tile.width = 256
    tile.height = 256
    const context = tile.getContext('2d')!
    const pixels = context.createImageData(256, 256)
    for (let i = 0; i < pixels.data.length; i += 4) {
      const value = (Math.random() + Math.random() + Math.random() - 1.5) * 2 * script.noise
      pixels.data[i] = value > 0 ? 255 : 0
      pixels.data[i + 1] = pixels.data[i]!
      pixels.data[i + 2] = pixels.data[i]!
      pixels.data[i + 3] = Math.min(255, Math.abs(value) * 2)
    }
    context.putImageData(pixels, 0, 0)
    return tile
  }

  /** How much the picture's middle is magnified. It changes no faster than people move. */
  let nearness = 1
  let movedAt = performance.now()
  const comeOrGo = () => {
    const now = performance.now()
    const seconds = Math.min(0.2, (now - movedAt) / 1000)
    movedAt = now
    const isSized = asked.action === 'comeCloser' && now >= asked.from
    const hint = document.querySelector<HTMLElement>('.hint')?.dataset.hint
    const way = isSized ? (hint === 'closer' ? 1 : hint === 'back' ? -1 : 0) : -1
    nearness = Math.max(1, nearness * Math.exp(0.25 * way * seconds))
  }

  /** Draws rings from the edge inwards, magnifying each one more than the ring around it. */
  const bulge = (context: CanvasRenderingContext2D, frame: ImageBitmap) => {
    const [{ width, height }, rings] = [frame, 24]
    for (let ring = rings; ring > 0; ring--) {
      const reach = ring / rings
      const scale = 1 + (nearness - 1) * (1 - reach ** 4)
      const [x, y] = [width / 2, height / 2]
      context.save()
      context.beginPath()
      context.ellipse(x, y, reach * x, reach * y, 0, 0, 2 * Math.PI)
      context.clip()
      context.drawImage(frame, x - scale * x, y - scale * y, scale * width, scale * height)
      context.restore()
    }
  }

  /** Draws the picture like a photograph held by hand: columns shrink on the side that is turned away. */
  const move = (context: CanvasRenderingContext2D, picture: ImageBitmap) => {
    const { width, height } = picture
    const phase = performance.now() / 2500
    if (script.motion === 'panned') {
      context.drawImage(picture, Math.sin(phase) * width * 0.06, Math.cos(phase * 0.7) * height * 0.04)
    } else if (script.motion === 'tilted') {
      const angle = Math.sin(phase) * 0.7
      context.fillRect(0, 0, width, height)
      const strip = 6
      for (let x = 0; x < width; x += strip) {
        const across = (x / width - 0.5) / Math.cos(angle)
        const depth = 1 / (1 - across * Math.sin(angle) * 0.8)
        const from = (across * depth + 0.5) * width
        if (from < 0 || from >= width - 1) continue
        const tall = height / depth
        context.drawImage(picture, from, 0, strip * depth, height, x, (height - tall) / 2, strip, tall)
      }
    } else context.drawImage(picture, 0, 0)
  }

  const open = async () => {
    bitmaps ??= load()
    const frames = await bitmaps
    const canvas = document.createElement('canvas')
    canvas.width = frames[0]!.width
    canvas.height = frames[0]!.height
    const context = canvas.getContext('2d', { alpha: false })!
    const tiles = Array.from({ length: 4 }, noiseTile)
    let count = 0
    const draw = () => {
      context.filter = spoiling || 'none'
      // A person with a position moves as a whole instead.
      if (script.comesCloser && window.place === undefined) comeOrGo()
      move(context, frames[frameNow()]!)
      if (nearness > 1) bulge(context, frames[frameNow()]!)
      context.filter = 'none'
      light(context)
      window.actor.stand?.(context)
      const shift = Math.floor(Math.random() * 256)
      context.fillStyle = context.createPattern(tiles[count++ % tiles.length]!, 'repeat')!
      context.setTransform(1, 0, 0, 1, -shift, -shift)
      context.fillRect(0, 0, canvas.width + 256, canvas.height + 256)
      context.setTransform(1, 0, 0, 1, 0, 0)
    }
    draw()
    act = { ...act, startedAt: performance.now() }
    const stream = canvas.captureStream(script.rate)
    tracks = stream.getTracks()
    given.push(...tracks)
    const [track] = tracks
    // A stopped track fires no event, so it is polled.
    const timer = setInterval(
      () => (track!.readyState === 'live' ? draw() : clearInterval(timer)),
      1000 / script.rate,
    )
    return stream
  }

  /** Turns to the requested side once the page's hint appears. */
  const heed = () => {
    if (mistaken === null || script.turnsWrongFirst === 'kept') return
    if (document.querySelector<HTMLElement>('.hint')?.dataset.hint !== 'otherWay') return
    plan(mistaken, mistaken, between(script.reaction))
    mistaken = null
  }

  const watch = () => {
    const root = document.querySelector('[data-state]')
    if (root !== null) window.actor.play(root.getAttribute('data-action'))
    heed()
  }
  if (script.manner === 'asked') {
    new MutationObserver(watch).observe(document, { subtree: true, childList: true, attributes: true })
  }
  Object.defineProperty(navigator.mediaDevices, 'getUserMedia', { value: open, configurable: true })
  Object.defineProperty(navigator.mediaDevices, 'enumerateDevices', {
    value: async () => [{ kind: 'videoinput', deviceId: 'acted', label: 'Acted camera', groupId: '' }],
    configurable: true,
  })
}
