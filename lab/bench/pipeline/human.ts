import sharp from 'sharp'
import { openHuman } from '#lab/rivals/human.ts'
import { busyMilliseconds, serveRounds } from './tasks.ts'

/** Runs everything that @vladmandic/human can do on a picture, and reports the time spent on reading it. */
serveRounds(async (pictures) => {
  const rival = await openHuman()
  return async () => {
    let decoding = 0
    let faces = 0
    for (const bytes of pictures) {
      const start = busyMilliseconds()
      const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true })
      decoding += busyMilliseconds() - start
      const input = rival.tf.tensor(data, [1, info.height, info.width, 3], 'int32')
      const { face } = await rival.detect(input)
      rival.tf.dispose(input)
      if (face[0]?.embedding !== undefined) faces++
    }
    return { decoding, faces }
  }
})
