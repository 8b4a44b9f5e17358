/** How a figure is formatted. */
export type Unit = 'percent' | 'years' | 'plain'

export interface Headline {
  readonly figure: string
  readonly label: string
  readonly unit: Unit
}

/** A part of the report: its introduction, and the figures in its first table. */
export interface Chapter {
  readonly task: string
  readonly title: string
  readonly opening: readonly string[]
  readonly headlines: readonly Headline[]
}

const share = (figure: string, label: string): Headline => ({ figure, label, unit: 'percent' })
const years = (figure: string, label: string): Headline => ({ figure, label, unit: 'years' })
const plain = (figure: string, label: string): Headline => ({ figure, label, unit: 'plain' })

export const chapters: readonly Chapter[] = [
  {
    task: 'recognition',
    title: 'Recognition: are two pictures of the same person?',
    opening: [
      'A false match takes two people for one; a false non-match takes one person for two. The scores 70, 80, 90 ' +
        'and 95 correspond to false match rates of 1e-3, 1e-4, 1e-5 and 1e-6 among strangers in press photographs of ' +
        'well-known people, most of them adults (LFW); 95 is extrapolated. Other people and pictures have other rates: see the false match rate ' +
        'at score 80 of each set. Intervals are computed by person, because pictures of one person are not independent.',
    ],
    headlines: [
      share('accuracy', 'accuracy, by folds'),
      share('eer', 'equal error'),
      share('tarAtFmr1e-3', 'true matches at FMR 1e-3'),
      share('tarAtFmr1e-4', 'at 1e-4'),
      share('tarAtFmr1e-5', 'at 1e-5'),
      share('fmrAtScore80', 'FMR at score 80'),
      share('fnmrAtScore80', 'FNMR at score 80'),
      share('noFace', 'no face found'),
    ],
  },
  {
    task: 'documents',
    title: 'Pictures of documents',
    opening: [
      'A reference picture is often the portrait from a document: small, grey, compressed, printed. No set with ' +
        'documents and camera pictures of the same people was available, so every picture of a set was turned into ' +
        'such a portrait, step by step, and compared with the unchanged pictures of everyone, never with its own ' +
        'original. A real document is also years old, laminated and photographed at an angle, which this does not ' +
        'simulate. The score is not corrected for documents: at the same score, strangers match no more often than ' +
        'the scale says, but the right person is missed more often.',
    ],
    headlines: [
      share('original.fnmrAtScore80', 'unchanged: FNMR at score 80'),
      share('small.fnmrAtScore80', '120 pixels wide'),
      share('grey.fnmrAtScore80', 'and grey'),
      share('compressed.fnmrAtScore80', 'and compressed'),
      share('printed.fnmrAtScore80', 'and printed'),
      share('printed.fnmrAtScore70', 'printed, at score 70'),
      share('original.fmrAtScore80', 'unchanged: FMR at score 80'),
      share('printed.fmrAtScore80', 'printed: FMR at score 80'),
    ],
  },
  {
    task: 'identification',
    title: 'Identification: who of many is it?',
    opening: [
      'A search compares a face with everyone who is enrolled, so its errors grow with the collection. A false ' +
        'positive is a match for a person who is not enrolled (FPIR). A false negative misses an enrolled person, ' +
        'or finds another one (FNIR). The product requires a higher score when it searches more faces, so that at ' +
        'most 1 % of strangers get a match. Beyond 1,000 faces the scale is extrapolated, which answers then say, ' +
        'and it ends at 10,000.',
      'The largest collection is the largest one in which, at that score, at most 1 % of strangers get a match ' +
        'and at most 10 % of enrolled people are missed, as far as the intervals can tell. Up to that size, ' +
        'duplicates can be refused automatically. Beyond it, a person should review each match.',
      'No available public set has more than a few thousand people. Larger collections are filled with synthetic ' +
        'people, who resemble real people as much as real people resemble each other. The tables check this by ' +
        'comparing a thousand real people with a thousand synthetic ones. Nothing is known about anything rarer ' +
        'than one pair in a million.',
    ],
    headlines: [
      plain('largestCollection', 'largest collection'),
      share('real1k.fpirAtSearchScore', '1,000 real people: FPIR'),
      share('real1k.fnirAtSearchScore', 'FNIR'),
      share('1k.fpirAtSearchScore', '1,000 synthetic: FPIR'),
      share('1k.fnirAtSearchScore', 'FNIR'),
      share('10k.fpirAtSearchScore', '10,000: FPIR'),
      share('10k.fnirAtSearchScore', 'FNIR'),
      share('100k.fpirAtSearchScore', '100,000: FPIR'),
      share('100k.fnirAtSearchScore', 'FNIR'),
      share('1M.fpirAtSearchScore', '1,000,000: FPIR'),
      share('1M.fnirAtSearchScore', 'FNIR'),
    ],
  },
  {
    task: 'demographic',
    title: 'Age and gender',
    opening: [
      'The network estimates how old a person looks. Its maker says that UTKFace and FG-NET were among its ' +
        'training pictures, so their figures are flattering: expect larger errors in use. CelebA is independent of ' +
        'it.',
      'An uncertainty above 1.0 means that the estimate should be rejected, and age checks reject it.',
    ],
    headlines: [
      years('adultMaeYears', 'mean error, adults'),
      years('minorMaeYears', 'under 18'),
      years('maeYears', 'all'),
      years('maeYearsAt80Coverage', 'the 80 % with least uncertainty'),
      years('biasYears', 'bias'),
      share('within5Years', 'within 5 years'),
      share('adultGenderAccuracy', 'gender, adults'),
      share('genderAccuracy', 'gender, all'),
      share('noFace', 'no face found'),
    ],
  },
  {
    task: 'emotion',
    title: 'Emotion and attention',
    opening: [
      'These flags describe what a face shows, not what a person feels. Each is yes, no, or null if it is not ' +
        'reliable: precision is how often a yes is right, coverage how often there is an answer. People agree on ' +
        'about 65 % of the labels of FER2013. Flags without labelled pictures are not in the table: they are ' +
        'experimental.',
    ],
    headlines: [
      share('accuracy', 'accuracy'),
      share('macroF1', 'macro F1'),
      share('happy.precision', 'happy: precision'),
      share('happy.coverage', 'coverage'),
      share('surprise.precision', 'surprise: precision'),
      share('surprise.coverage', 'coverage'),
      share('disgust.precision', 'disgust: precision'),
      share('disgust.coverage', 'coverage'),
    ],
  },
  {
    task: 'liveness',
    title: 'Liveness: presentation attacks',
    opening: [
      'APCER is the share of attacks that are accepted as live, BPCER the share of live people who are rejected ' +
        '(ISO/IEC 30107-3). One picture alone is weak evidence; a session also considers many frames, a requested ' +
        'action, identity and geometry. A recording is a clip, or several pictures of one person that are its ' +
        'frames; `photo` and `video` are what the set labels as such, on paper or on a screen. `all` covers all ' +
        'sets, with each person counted once: what passes at a limit that rejects 1, 3 or 5 % of living people. ' +
        '`worst…` is the worst point of a grid of perturbations (noise, blur, sharpening, gamma, scaling, ' +
        'mirroring, recompression), if that was run.',
      'Passive networks detect nothing in faces swapped in real time (`swap`), in pictures animated by a network ' +
        '(`puppet`) or in heads generated entirely (`generated`); masks pass as well. They pass because nothing in ' +
        'such pictures gives them away.',
      'Complete sessions, acted with these clips, live, replayed and with photographs, are measured by `npm run ' +
        'bench -- acted`: [security.md](security.md#what-passes-today) has its figures, and what passes.',
    ],
    headlines: [
      share('apcerClips.photo', 'APCER, photo, recordings'),
      share('apcerClips.video', 'video'),
      share('bpcerClips', 'BPCER, recordings'),
      share('apcerAtBpcer1.photo', 'APCER at BPCER 1 %, photo'),
      share('apcerAtBpcer1.video', 'video'),
      share('apcerAtBpcer3.photo', 'at 3 %, photo'),
      share('apcerAtBpcer3.video', 'video'),
      share('apcerAtBpcer5.photo', 'at 5 %, photo'),
      share('apcerAtBpcer5.video', 'video'),
      share('apcer', 'APCER, picture'),
      share('bpcer', 'BPCER, picture'),
      share('auc', 'AUC, picture'),
      share('worstApcerClips', 'worst APCER, recordings'),
      share('worstBpcerClips', 'worst BPCER, recordings'),
    ],
  },
  {
    task: 'manipulated',
    title: 'Generated and edited faces',
    opening: [
      'Nothing in the product is designed to recognise a generated or edited face. This measures how well the ' +
        'liveness score happens to separate them; an AUC of 50 % is chance.',
    ],
    headlines: [share('auc', 'AUC')],
  },
  {
    task: 'detection',
    title: 'Finding faces',
    opening: [
      'A face counts as found if the boxes overlap by half (IoU 0.5). Sets draw their boxes differently, which ' +
        'lowers recall at this limit.',
    ],
    headlines: [
      share('recall', 'recall'),
      share('precision', 'precision'),
      plain('falsePositives', 'false positives'),
      plain('falsePositivesPerPicture', 'a picture'),
    ],
  },
  {
    task: 'landmarks',
    title: 'Landmarks',
    opening: [
      'Mean distance of the 49 points from the labelled ones, divided by the distance between the outer eye ' +
        'corners.',
    ],
    headlines: [share('nme', 'normalised mean error')],
  },
]

/** Limitations that apply to all figures, shown in the report's first section. */
export const unknowns: readonly string[] = [
  '**Your people and your cameras.** The pictures come from public research sets: press photographs, web crops, ' +
    'one webcam from 2010, posed expressions. Measure with your own before you rely on a number: `npm run evaluate` ' +
    'takes any folder with the same layout.',
  '**Training overlap.** The training data of the recognition and liveness networks is not documented; the age ' +
    'network was, according to its maker, trained on two of the sets below. Well-known people are likely to be in ' +
    'training sets.',
  '**Fairness.** The race and gender labels of UTKFace are a person’s judgement of a picture. They show that ' +
    'errors differ between groups; they do not show how much they will differ in your population. No set here ' +
    'labels skin tone.',
  '**Attacks.** The liveness limits were measured with photographs and replays of a few dozen people, in front of ' +
    'a few webcams. Three masks are no evidence. Faces swapped, animated or generated by a network pass, and a ' +
    'browser cannot prove its camera. Other attacks, and how many of them pass, are in ' +
    '[security.md](security.md#what-passes-today).',
  '**Very rare errors.** A false match rate of 1e-6 is extrapolated from the tail; it was not measured directly.',
  '**Identical twins, ageing of children, faces after surgery**: not measured.',
]
