/** A pack cannot be installed, removed or used in its current state. The message explains why, and what to do. */
export class PackFault extends Error {}
