import sharp from 'sharp'

const columns = 10
const gap = 12
const labelHeight = 28
const mostWide = 330

/** A screenshot with its name. */
export interface Shot {
  readonly name: string
  readonly picture: Buffer
}

/** All screens in one picture, with names and ten per row, so that they can be compared by eye. */
export async function drawContactSheet(shots: readonly Shot[], size: { width: number; height: number }) {
  const width = Math.min(mostWide, Math.round(size.width / 2))
  const height = Math.round((width * size.height) / size.width)
  const across = Math.min(columns, shots.length)
  const cell = { width: width + gap, height: height + labelHeight + gap }
  const tiles = await Promise.all(
    shots.map(async ({ name, picture }, index) => {
      const left = gap + (index % across) * cell.width
      const top = gap + Math.floor(index / across) * cell.height
      const small = await sharp(picture).resize(width, height).png().toBuffer()
      return [
        { input: label(name, width), left, top },
        { input: small, left, top: top + labelHeight },
      ]
    }),
  )
  const rows = Math.ceil(shots.length / across)
  const sheet = sharp({
    create: {
      width: gap + across * cell.width,
      height: gap + rows * cell.height,
      channels: 3,
      background: '#8a9099',
    },
  })
  return sheet.composite(tiles.flat()).png().toBuffer()
}

function label(name: string, width: number): Buffer {
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${labelHeight}">` +
      `<text x="2" y="20" font-family="sans-serif" font-size="16" fill="#000">${name}</text></svg>`,
  )
}
