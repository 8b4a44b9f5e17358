import { readFile } from 'node:fs/promises'
import type { Plugin } from 'vite'

/** The light page; the document names both, a manifest has room for one. */
const pageColour = '#F7F8FA'

/**
 * The icons, drawn from `web/icon.svg`. A system may cut a maskable one to a circle of four fifths of its width, and iOS
 * shows what is transparent as black: those stand on a ground, and smaller.
 */
const icons = [
  { fileName: 'icon-192.png', size: 192, purpose: 'any' },
  { fileName: 'icon-512.png', size: 512, purpose: 'any' },
  { fileName: 'icon-maskable-512.png', size: 512, purpose: 'maskable' },
  { fileName: 'apple-touch-icon.png', size: 180, purpose: undefined },
] as const

/** [Note: One start for every account] An installed page has no link: it starts with a page that says so. */
const manifest = {
  id: '/verification',
  name: 'Selfsame face check',
  short_name: 'Selfsame',
  description: 'Opens the face checks that you are sent a link to.',
  lang: 'en',
  start_url: '/verification',
  scope: '/verification',
  display: 'standalone',
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

/** Makes the built page installable: its manifest, its icons, and where the page names them. */
export function installable(drawing: string): Plugin {
  return {
    name: 'installable',
    apply: 'build',
    async generateBundle() {
      const source = `${JSON.stringify(manifest)}\n`
      this.emitFile({ type: 'asset', fileName: 'manifest.webmanifest', source })
      const svg = await readFile(drawing)
      for (const { fileName, size, purpose } of icons) {
        const image = purpose === 'any' ? await draw(svg, size) : await onGround(svg, size)
        this.emitFile({ type: 'asset', fileName, source: image })
      }
    },
    transformIndexHtml: () => [
      { tag: 'link', attrs: { rel: 'manifest', href: '/manifest.webmanifest' }, injectTo: 'head' },
      { tag: 'link', attrs: { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' }, injectTo: 'head' },
    ],
  }
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
