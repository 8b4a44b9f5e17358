/** A sealed file, containing faces or a whole store, cannot be written or read. The message explains why. */
export class FileFault extends Error {}
