import sharp from 'sharp'

const finest = { progressive: true, chromaSubsampling: '4:4:4' } as const

/** Small files that take up all the permitted memory when decoded: a progressive JPEG and an interlaced PNG. */
export function heldPictures(): Promise<Buffer[]> {
  return Promise.all([
    picture(6000, 4000).removeAlpha().jpeg(finest).toBuffer(),
    picture(7200, 5000).png({ progressive: true, compressionLevel: 9 }).toBuffer(),
  ])
}

function picture(width: number, height: number) {
  return sharp({ create: { width, height, channels: 4, background: { r: 120, g: 90, b: 80, alpha: 0.7 } } })
}
