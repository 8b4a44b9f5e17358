/** The text in `docs/attacks.md` that comes before the results. The tables are derived from the attack code. */
export function opening(kinds: { readonly instruments: string; readonly methods: string }): string {
  return `# Attacks

After this page you know what a forger achieves, and can try your own attack. **A script with one photograph passes \`low\` and \`standard\`**; \`high\` says which device was there.
Written by \`npm run attack -- --record\`; not edited by hand. [attacks.csv](data/attacks.csv) has every row, with what the server found against its sessions. [security.md](security.md) says what is defended, and how.

- [Run it](#run-it)
- [Try your own attack](#try-your-own-attack)
- [Instruments and methods](#instruments-and-methods)
- [Forgers’ own scripts](#forgers-own-scripts)
- [What was measured](#what-was-measured)
- [How to read it](#how-to-read-it)
- [What is not claimed](#what-is-not-claimed)

## Run it

\`\`\`sh
npm run attack -- --people 10                                 # everything, with few people
npm run attack -- --instrument bent,layers --method script    # some of it
npm run attack -- --instrument bent --film                    # with a film of its own pictures; --no-film, --film sparse|dark|flat|repeated|noisy|other|otherNoisy|living
npm run attack -- --living bpcer                              # only living people
npm run attack -- --instrument bent --asks leastAssurance=standard   # with a configuration other than the default
npm run attack -- --instrument bent --seed 2                  # other people, other noise; the same seed shows the same forgeries again
npm run attack -- --sample --record                           # at least 40 tries of every instrument; writes this page, only from a committed state
\`\`\`

The built product runs on this machine with its own networks and a separate store for each line of the table. The attacker has
only its interface. The pictures of people are in a folder next to the project (\`--data\`) and are not part of it; whatever is missing
there is skipped.

## Try your own attack

1. Create a folder. Put in the clips (\`mp4\`, \`webm\` or \`mov\`) that your camera, your screen or your program produces: film a print that you turn in
   your hand, a tablet, a mask, the output of a face swap. A clip is one person. All pictures (\`jpg\`, \`png\`) of the folder together are one more.
   Film a straight look of two seconds, then each action: turn left, turn right, look up, smile. Faces should be at least 150 pixels wide.
2. If you know what is shown when, write \`segments.csv\` next to them: \`file,action,from,to\` in seconds, with the actions \`frontal\`,
   \`turnLeft\`, \`turnRight\`, \`lookUp\`, \`smile\`, \`blink\`, \`comeCloser\`. Without it, the mesh finds the pictures that come nearest to what is requested.
3. Run it, by a program and through the page in a browser:

\`\`\`sh
npm run attack -- --own FOLDER --method script,page
\`\`\`

An attack that generates its pictures in a program is a file in \`lab/attacks/instruments\`: it receives the moment of the visit and the number of
pictures requested, and returns JPEGs. \`warped.ts\` has thirty lines. A new method is a file in \`lab/attacks/methods\`.

## Instruments and methods

${kinds.instruments}

${kinds.methods}

Combinations that make no sense are left out: a blind camera gains nothing from a picture that is warped on request, and an edited page or a
kiosk's key saves its holder only what a program makes up anyway.

${forgers}`
}

/** Scripts from outside the project. Their figures are copied here instead of being measured by `npm run attack`. */
const forgers = `## Forgers’ own scripts

Written by people who attacked the product, and run unchanged: at commit \`1ffbd2e\`, which accepted a visit without a film, and at \`3674c2a6\`, which [requires evidence](assurance.md#required-evidence) of every one. One session for
each person, with faces from press photographs; brackets hold the 95 % interval. The instruments of \`npm run attack\` with the same names do the same; where they get less far than these scripts, believe the scripts.

| script | at \`1ffbd2e\` | at \`3674c2a6\` |
|---|---|---|
| \`bent\`, without a film, \`Balanced\` | 16 of 20 [58, 92 %] at \`low\` | 0 of 20 [0, 16 %] |
| the same, \`Advanced\` | 9 of 10 [60, 98 %] at \`low\` | 0 of 10 [0, 28 %] |
| \`dodge\`, two photographs, actions exchanged | 8 of 10 [49, 94 %] at \`low\` | 0 of 12 [0, 24 %] |
| \`dodge\`, one photograph, the turn failed | 6 of 9 [35, 88 %] at \`low\` | none of 144 sessions of 12 people came to a smile: a failed turn is followed by another turn |
| \`bent\` with a paired kiosk's key, \`Advanced\` | 4 of 4 [51, 100 %] | 0 of 4 [0, 49 %] |
| \`layers\`, \`Balanced\` | 11 of 12 [65, 99 %] at \`standard\` | 9 of 10 [60, 98 %] at \`standard\` |
| \`layers\`, \`Advanced\` | 10 of 10 [72, 100 %] at \`standard\` | not run; the table below has ours |
| \`layers\`, with a software passkey at a second visit | 5 of 6 [44, 97 %] at \`high\` | 0 of 6 [0, 39 %]: such a key leads to \`standard\` at most |
| \`layers\`, binding one next to someone else's passkey | 3 of 4 [30, 95 %] at \`high\` | 0 of 4 [0, 49 %]: none was bound |

**These scripts leave the film out, and that is why they fail now.** A script that adds a film of the same pictures, in ten lines, passes as before: see \`bent\` with its own film in the table below.
The Advanced figure of \`layers\` at \`1ffbd2e\` comes from an earlier run at the same commit, and that of the kiosk from its author.`

/** The text that follows the results. */
export const after = `## How to read it

- **APCER** is the share of sessions that end in Pass, reported for each species as ISO/IEC 30107-3 requires. **Within a link's limit** is the share of
  people for whom one session passes before five have failed: an attacker who tries again is one attacker. **BPCER** is the share of visits
  of living people that end in Fail after three tries.
- Intervals are over people: further sessions of one person are not new cases. If none or all pass, Wilson's interval over people is given.
- **At \`standard\` or more** and **at \`high\`** are shares of the same sessions. For \`high\`, a program binds a software passkey after a session at \`standard\`, and shows it at a second forged visit
  that requires \`high\`.
- **Film** is what is sent along: its own pictures, none, a film that is present but shows nothing, or one of another person. Without a film, frames are as the first script sends them; with one, they agree with it.
- **Taken for living by \`human\`** (\`--rival human\`): people for whom one of four straight pictures reaches 0.6 in both liveness scores of \`@vladmandic/human\`, as its own demonstration requires. Its blink, gaze and face
  size are left out.
- A row is current only if these sources were measured: a run recorded at other sources drops it, and a test fails until one does (or \`npm run attack -- --page\` drops it). Words, operators' pages and tests may change meanwhile.
- **The baseline** stays until another commit takes its place. A later row is compared with the one of the same combination: an instrument gets further if its whole interval lies above.
  A seed decides which people are taken and what their pictures owe to chance. The product draws its challenges itself, so two runs of one seed show the same forgeries to other challenges.
- A photograph of \`warped\` and its variants is a press photograph, as high as the picture. \`warpedLiving\` takes a still from the clips in which living people
  are measured: only the forgery differs.
- \`recorded\` and \`spliced\` are people whose clips show at least two of the four default actions; if the requested one is missing, that step fails and
  another one follows. \`swap\`, \`puppet\` and \`generated\` show what comes nearest; no one asked their makers to turn the head, so a low figure says
  little about a forger who can.
- Living people are asked only for what their footage shows. By default the product asks for a turn of the head, so people whose footage shows none beginning with a straight look, as the page requires, are left out. Many of them talk, and were not asked to act.

## What is not claimed

- **None of our levels stops a network that animates one picture in real time.** It supplies light, folds, eyes and no cuts. Anyone who can run
  one behind a virtual camera, or at the interface, passes like a living person. The clips of \`swap\` and \`puppet\` were not made for us; they show less than
  such a program can do when it receives instructions.
- A browser cannot prove its camera, and a kiosk's key does not identify its holder. Neither is a defence here; both are measured.
- Silicone masks, make-up, twins and prints that are bent to a face were not measured.
- The sources reveal a limit that stops one instrument. The table says what today's instruments achieve, not what the next
  one will.`
