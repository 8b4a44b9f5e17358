/** Where a process is in its life: `starting` until the networks are warm, `stopping` once it was told to end. */
export type Phase = 'starting' | 'serving' | 'stopping'
