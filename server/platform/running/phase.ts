/** The process's phase: `starting` until the networks are warm, `stopping` after a signal to end. */
export type Phase = 'starting' | 'serving' | 'stopping'
