import { gridSize, type BodyView } from '../../rules.ts'
import type { en } from './texts.ts'

export type RegionName = keyof typeof en.regions

/** Named areas of the outlines, so that an area can be marked without a pointer. In thousandths of width and height. */
export const regions: Record<BodyView, readonly { name: RegionName; x: number; y: number }[]> = {
  face: [
    { name: 'forehead', x: 500, y: 200 },
    { name: 'eyes', x: 500, y: 400 },
    { name: 'nose', x: 500, y: 520 },
    { name: 'ears', x: 150, y: 480 },
    { name: 'cheeks', x: 300, y: 560 },
    { name: 'lips', x: 500, y: 680 },
    { name: 'chin', x: 500, y: 810 },
    { name: 'neck', x: 500, y: 940 },
  ],
  front: [
    { name: 'neck', x: 500, y: 165 },
    { name: 'shoulders', x: 330, y: 205 },
    { name: 'chest', x: 500, y: 270 },
    { name: 'arms', x: 270, y: 340 },
    { name: 'abdomen', x: 500, y: 390 },
    { name: 'hips', x: 400, y: 480 },
    { name: 'thighs', x: 420, y: 610 },
    { name: 'knees', x: 425, y: 720 },
    { name: 'calves', x: 430, y: 830 },
  ],
  back: [
    { name: 'neck', x: 500, y: 165 },
    { name: 'shoulders', x: 330, y: 205 },
    { name: 'upper_back', x: 500, y: 270 },
    { name: 'arms', x: 270, y: 340 },
    { name: 'lower_back', x: 500, y: 400 },
    { name: 'buttocks', x: 500, y: 500 },
    { name: 'thighs', x: 420, y: 610 },
    { name: 'calves', x: 430, y: 800 },
  ],
}

/** The name of the area that is nearest to a point. */
export function regionAt(view: BodyView, { x, y }: { x: number; y: number }): RegionName {
  // Outlines are about half as wide as they are high; left and right have the same names.
  const mirrored = Math.min(x, gridSize - x)
  const distance = (to: { x: number; y: number }) => Math.hypot((mirrored - Math.min(to.x, gridSize - to.x)) / 2, y - to.y)
  return regions[view].reduce((nearest, one) => (distance(one) < distance(nearest) ? one : nearest)).name
}
