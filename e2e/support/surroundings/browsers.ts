import type { Surrounding } from './surrounding.ts'

function script(name: string, run: () => void): Surrounding {
  return {
    name,
    async surround(context) {
      await context.addInitScript(run)
    },
  }
}

/** Keeps replacing every text with nested elements, as browsers do when they translate a page. */
export const translated = script('a page that is translated', () => {
  const replace = (node: Node) => {
    if (node.nodeType === Node.ELEMENT_NODE && /^(FONT|SCRIPT|STYLE)$/.test(node.nodeName)) return
    if (node.nodeType !== Node.TEXT_NODE) {
      for (const child of [...node.childNodes]) replace(child)
      return
    }
    if (node.textContent?.trim() === '' || node.parentNode?.nodeName === 'FONT') return
    const [outer, inner] = [document.createElement('font'), document.createElement('font')]
    inner.textContent = node.textContent
    outer.append(inner)
    ;(node as ChildNode).replaceWith(outer)
  }
  const begin = () => {
    const root = document.getElementById('app')
    if (root === null) return
    replace(root)
    new MutationObserver((records) => {
      for (const { addedNodes, target, type } of records)
        if (type === 'characterData') replace(target)
        else for (const node of addedNodes) replace(node)
    }).observe(root, { subtree: true, childList: true, characterData: true })
  }
  addEventListener('load', () => setTimeout(begin, 300))
})

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

export const hidesPictures = script('a browser that gives random pixels', noise)
export const whitePictures = script('a browser that gives white pixels', () => {
  CanvasRenderingContext2D.prototype.getImageData = (_x: number, _y: number, width: number, height: number) =>
    new ImageData(new Uint8ClampedArray(width * height * 4).fill(255), width, height)
})
export const refusesPixels = script('a browser that refuses to give pixels', () => {
  CanvasRenderingContext2D.prototype.getImageData = () => {
    throw new DOMException('refused', 'SecurityError')
  }
})
export const workerHidesPictures = script('a browser that gives random pixels of what no page shows', () => {
  const read = OffscreenCanvasRenderingContext2D.prototype.getImageData
  OffscreenCanvasRenderingContext2D.prototype.getImageData = function (...area) {
    const picture = read.apply(this, area as never)
    for (let i = 0; i < picture.data.length; i++) picture.data[i] = Math.random() * 256
    return picture
  }
})

export const noWebAssembly = script('a browser without WebAssembly', () => {
  Object.defineProperty(globalThis, 'WebAssembly', { value: undefined })
})

export const refusesStorage = script('a browser that refuses storage', () => {
  for (const name of ['sessionStorage', 'localStorage'])
    Object.defineProperty(globalThis, name, {
      get() {
        throw new DOMException('refused', 'SecurityError')
      },
    })
})
export const fullStorage = script('a storage that is full', () => {
  Storage.prototype.setItem = () => {
    throw new DOMException('full', 'QuotaExceededError')
  }
})
export const forgetfulStorage = script('a storage that keeps nothing', () => {
  Storage.prototype.setItem = () => {}
})

/** Changes the device's clock by a number of hours while the camera is running. */
export function clockJumps(hours: number): Surrounding {
  return {
    name: `a clock that is set by ${hours} h`,
    async happen(page) {
      await page.locator('[data-state="align"], [data-state="hold"], [data-state="action"]').first().waitFor()
      await page.evaluate((milliseconds) => {
        const now = Date.now
        Date.now = () => now() + milliseconds
      }, hours * 3600_000)
    },
  }
}

/** Reloads the page once the person has agreed. */
export const reloaded: Surrounding = {
  name: 'a reload after the consent',
  async happen(page) {
    await page.locator('[data-state="ready"], [data-state="asking"], [data-state="align"]').first().waitFor()
    await page.reload()
  },
}
