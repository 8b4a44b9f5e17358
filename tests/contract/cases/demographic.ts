import { imageCases, imageLimits } from './image.ts'

export const demographicCases = { getAge: imageCases, getGender: imageCases }

export const demographicLimits = { getAge: imageLimits, getGender: imageLimits }
