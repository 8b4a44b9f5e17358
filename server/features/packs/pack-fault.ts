/** A pack cannot be installed, removed or used as it is; the message says why, and what mends it. */
export class PackFault extends Error {}
