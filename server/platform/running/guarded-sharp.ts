import sharp from 'sharp'

// What the header walk lets through is all that may be decoded.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'] })

/** sharp, which reads JPEG and PNG and nothing else in this process. */
export const guardedSharp = sharp
