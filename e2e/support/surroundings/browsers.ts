import { momentary, type Surrounding, scripted } from './surrounding.ts'

const noise = () => {
  for (const kind of [CanvasRenderingContext2D, OffscreenCanvasRenderingContext2D]) {
    const read = kind.prototype.getImageData
    kind.prototype.getImageData = function (
      this: CanvasRenderingContext2D,
      ...area: [number, number, number, number]
    ) {
      const picture = read.apply(this, area)
      for (let i = 0; i < picture.data.length; i++) picture.data[i] = Math.random() * 256
      return picture
    } as never
  }
}

export const hidesPictures = scripted('browser', 'a browser that gives random pixels', noise)
export const whitePictures = scripted('browser', 'a browser that gives white pixels', () => {
  CanvasRenderingContext2D.prototype.getImageData = (_x: number, _y: number, width: number, height: number) =>
    new ImageData(new Uint8ClampedArray(width * height * 4).fill(255), width, height)
})
export const refusesPixels = scripted('browser', 'a browser that refuses to give pixels', () => {
  CanvasRenderingContext2D.prototype.getImageData = () => {
    throw new DOMException('refused', 'SecurityError')
  }
})
export const workerHidesPictures = scripted(
  'browser',
  'a browser that gives random pixels of what no page shows',
  () => {
    const read = OffscreenCanvasRenderingContext2D.prototype.getImageData
    OffscreenCanvasRenderingContext2D.prototype.getImageData = function (...area) {
      const picture = read.apply(this, area as never)
      for (let i = 0; i < picture.data.length; i++) picture.data[i] = Math.random() * 256
      return picture
    }
  },
)

export const encodesNoise = scripted('browser', 'a browser that encodes random pixels', () => {
  const spoil = (context: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D | null) => {
    const { width, height } = context!.canvas
    const picture = context!.createImageData(width, height)
    for (let i = 0; i < picture.data.length; i++) picture.data[i] = i % 4 === 3 ? 255 : Math.random() * 256
    context!.putImageData(picture, 0, 0)
  }
  const { toDataURL } = HTMLCanvasElement.prototype
  HTMLCanvasElement.prototype.toDataURL = function (...how) {
    spoil(this.getContext('2d'))
    return toDataURL.apply(this, how)
  }
  const { convertToBlob } = OffscreenCanvas.prototype
  OffscreenCanvas.prototype.convertToBlob = function (...how) {
    spoil(this.getContext('2d'))
    return convertToBlob.apply(this, how)
  }
})

export const noWebAssembly = scripted('browser', 'a browser without WebAssembly', () => {
  Object.defineProperty(globalThis, 'WebAssembly', { value: undefined })
})

export const refusesStorage = scripted('browser', 'a browser that refuses storage', () => {
  for (const name of ['sessionStorage', 'localStorage'])
    Object.defineProperty(globalThis, name, {
      get() {
        throw new DOMException('refused', 'SecurityError')
      },
    })
})
export const fullStorage = scripted('browser', 'a storage that is full', () => {
  Storage.prototype.setItem = () => {
    throw new DOMException('full', 'QuotaExceededError')
  }
})
export const forgetfulStorage = scripted('browser', 'a storage that keeps nothing', () => {
  Storage.prototype.setItem = () => {}
})

export const noStorage = scripted('browser', 'a browser whose storages are null', () => {
  for (const name of ['sessionStorage', 'localStorage'])
    Object.defineProperty(globalThis, name, { value: null })
})
export const keepsAddress = scripted('browser', 'a browser that refuses to change the address', () => {
  History.prototype.replaceState = () => {
    throw new DOMException('too often', 'SecurityError')
  }
})

/** Changes the device's clock by a number of hours while the camera is running. */
export function clockJumps(hours: number): Surrounding {
  return momentary('browser', `a clock that is set by ${hours} h`, 'align', (page) =>
    page.evaluate((milliseconds) => {
      const now = Date.now
      Date.now = () => now() + milliseconds
    }, hours * 3600_000),
  )
}

/** Reloads the page, again if there is no network. */
export const reloaded = momentary('browser', 'a reload', 'ready', async (page) => {
  while (!(await page.reload().catch(() => null))) await page.waitForTimeout(1000)
})

/** The person looks at another app for a moment. */
export const putAside = momentary('browser', 'another app for 2 s', 'align', async (page) => {
  const hide = (isHidden: boolean) =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'hidden', { configurable: true, value })
      document.dispatchEvent(new Event('visibilitychange'))
    }, isHidden)
  await hide(true)
  await page.waitForTimeout(2000)
  await hide(false)
})
