import { readFile } from 'node:fs/promises'
import type { Plugin } from 'vite'

/** Background of the light theme. The document names both colours, but a manifest has only one. */
const pageColour = '#F7F8FA'

/**
 * Icons drawn from `web/icon.svg`. Systems may crop a maskable icon to a circle of four fifths of its width, and iOS
 * shows transparent areas in black, so those variants are smaller and have a background.
 */
const icons = [
  { fileName: 'icon-192.png', size: 192, purpose: 'any' },
  { fileName: 'icon-512.png', size: 512, purpose: 'any' },
  { fileName: 'icon-maskable-512.png', size: 512, purpose: 'maskable' },
  { fileName: 'apple-touch-icon.png', size: 180, purpose: undefined },
] as const

/** Fields common to both applications. */
const shared = {
  lang: 'en',
  background_color: pageColour,
  theme_color: pageColour,
  icons: icons
    .filter(({ purpose }) => purpose !== undefined)
    .map(({ fileName, size, purpose }) => ({
      src: `/${fileName}`,
      sizes: `${size}x${size}`,
      type: 'image/png',
      purpose,
    })),
}

/** [Note: One start for every account] An installed page has no link, so it opens with a page that explains this. */
const captureManifest = {
  id: '/verification',
  name: 'Selfsame face check',
  short_name: 'Selfsame',
  description: 'Opens the face checks that you are sent a link to.',
  start_url: '/verification',
  scope: '/verification',
  display: 'standalone',
  ...shared,
}

/** A kiosk is a separate application: it fills the screen and reopens where it was closed. */
const kioskManifest = {
  id: '/kiosk',
  name: 'Selfsame kiosk',
  short_name: 'Kiosk',
  description: 'Checks visitors, even without a network.',
  start_url: '/kiosk',
  scope: '/kiosk',
  display: 'fullscreen',
  ...shared,
}

const manifests = {
  'manifest.webmanifest': captureManifest,
  'kiosk.webmanifest': kioskManifest,
} as const

/** Makes the built pages installable: adds manifests and icons, and references to them. */
export function installable(drawing: string): Plugin {
  return {
    name: 'installable',
    apply: 'build',
    async generateBundle() {
      for (const [fileName, manifest] of Object.entries(manifests)) {
        this.emitFile({ type: 'asset', fileName, source: `${JSON.stringify(manifest)}\n` })
      }
      const svg = await readFile(drawing)
      for (const { fileName, size, purpose } of icons) {
        const image = purpose === 'any' ? await draw(svg, size) : await onGround(svg, size)
        this.emitFile({ type: 'asset', fileName, source: image })
      }
    },
    transformIndexHtml: (_document, { path }) =>
      /\/console(-preview)?\.html$/.test(path)
        ? []
        : [
            { tag: 'link', attrs: { rel: 'manifest', href: `/${manifestOf(path)}` }, injectTo: 'head' },
            {
              tag: 'link',
              attrs: { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' },
              injectTo: 'head',
            },
          ],
  }
}

function manifestOf(path: string): keyof typeof manifests {
  return path.endsWith('/kiosk.html') ? 'kiosk.webmanifest' : 'manifest.webmanifest'
}

async function draw(svg: Buffer, size: number): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  return sharp(svg, { density: (72 * size) / 32 })
    .resize(size, size)
    .png()
    .toBuffer()
}

async function onGround(svg: Buffer, size: number): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  const ground = sharp({ create: { width: size, height: size, channels: 3, background: pageColour } })
  const drawing = await draw(svg, Math.round(size * 0.62))
  return ground
    .composite([{ input: drawing }])
    .removeAlpha()
    .png()
    .toBuffer()
}
