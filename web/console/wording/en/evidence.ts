/** A session's pictures, and the measurements next to them. */
export const evidenceWords = {
  evidence: {
    title: 'Pictures',
    kept: 'Kept until {time}, or 10 seconds after a decision. Your look is in the audit log.',
    show: 'Show the pictures',
    showing: 'Showing the pictures is noted in the audit log.',
    none: 'No pictures are kept, so none are shown. What was measured is below.',
    gone: 'The pictures are gone: they were not needed, somebody decided, or their time is over.',
    gathered: 'Pictures are shown here once the session has ended, where they are needed.',
    incomplete:
      'Some pictures could not be kept, such as where the disk was full. The verdict does not depend on it.',
    straight: 'looks straight',
    picture: 'Picture: {name}',
    tried: 'Try {n}: {name}',
    film: 'The film of the visit',
    play: 'Play',
    pause: 'Pause',
    at: 'Picture {n} of {all}',
  },
  measured: {
    title: 'What was measured',
    scores: {
      living: 'Looks like a living person',
      sameFace: 'Same face in every picture, at least',
      age: 'Estimated age',
      reference: 'Similarity to the reference picture',
    },
    limit: '{value}; the limit is {limit}',
    noLimit: '{value}; nothing is compared with it',
    cue: {
      light: 'Light while the head turns',
      rim: 'Background while the head turns',
      cuts: 'Film without a cut',
      perspective: 'Perspective',
    },
    answer: {
      held: 'Held',
      broken: 'Broken',
      cannotTell: 'Cannot tell',
    },
    pictures: 'Pictures, good and straight of all',
    of: '{n} of {all}',
    device: 'Device',
  },
  undoing: {
    undo: 'Undo',
    undoing: '{result} noted. You can take it back for 10 seconds.',
    undone: 'The decision was taken back.',
  },
}
