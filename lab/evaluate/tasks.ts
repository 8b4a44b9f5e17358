import { demographic } from './demographic.ts'
import { detection } from './detection.ts'
import { documents } from './documents.ts'
import { emotion } from './emotion.ts'
import { identification } from './identification.ts'
import { landmarks } from './landmarks.ts'
import { liveness } from './liveness.ts'
import { manipulated } from './manipulated.ts'
import { poor } from './poor.ts'
import { quality } from './quality.ts'
import { recognition } from './recognition.ts'
import type { Task } from './task.ts'

/** All tasks, in the report's order. */
export const tasks: readonly Task[] = [
  recognition,
  identification,
  documents,
  poor,
  demographic,
  emotion,
  liveness,
  manipulated,
  detection,
  landmarks,
  quality,
]
