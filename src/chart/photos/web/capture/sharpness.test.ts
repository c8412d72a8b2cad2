import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { sharpnessOf } from './sharpness.ts'

describe('the sharpness of a picture', () => {
  it('falls the more a picture is blurred (issue 27)', async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
    const drawn = await sharp({ create: { width: 160, height: 120, channels: 3, background: '#888', noise } })
      .png()
      .toBuffer()
    const measured = await Promise.all(
      [0, 1, 2, 4].map(async (sigma) => {
        const picture = sharp(drawn).ensureAlpha()
        const { data, info } = await (sigma ? picture.blur(sigma) : picture).raw().toBuffer({ resolveWithObject: true })
        return sharpnessOf({ data: new Uint8ClampedArray(data), width: info.width, height: info.height })
      }),
    )
    expect(measured).toEqual(measured.toSorted((a, b) => b - a))
    expect(measured[0]).toBeGreaterThan(measured[3]! * 10)
  })
})
