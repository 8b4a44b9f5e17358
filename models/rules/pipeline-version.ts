import manifest from '../manifest.json' with { type: 'json' }

/** Changes whenever the same picture may give another answer. */
export const pipelineVersion: string = manifest.pipelineVersion
