import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { columnIds, fitting, moved, readLayout, resized, defaultLayout, widened, widthOf, withColumn } from './layout.ts'

describe('column layout', () => {
  it('shows the default columns until the user chooses, and for an invalid stored layout', () => {
    for (const stored of [null, '', '{', '1', 'null', '{"shown":1}', '[]']) expect(readLayout(stored)).toEqual(defaultLayout)
    expect(readLayout('{"shown":["city","x","city","stage"],"widths":{"city":9999,"x":3,"stage":"wide"}}')).toEqual({
      shown: ['city', 'stage'],
      widths: { city: 400 },
    })
  })

  it('adds a column at the end, and moves it one position at a time', () => {
    const added = withColumn(defaultLayout, 'city', true)
    expect(added.shown.at(-1)).toBe('city')
    expect(moved(added, 'city', -1).shown.slice(-2)).toEqual(['city', 'lastContact'])
    expect(moved(added, 'city', 1)).toEqual(added)
    expect(moved(added, 'stage', -1)).toEqual(added)
    expect(withColumn(added, 'city', false)).toEqual(defaultLayout)
  })

  it('limits widths to a minimum and a maximum', () => {
    expect(widthOf(resized(defaultLayout, 'phone', 3), 'phone')).toBe(72)
    expect(widthOf(resized(defaultLayout, 'phone', 3000), 'phone')).toBe(400)
    expect(widthOf(widened(defaultLayout, 'phone', 1), 'phone')).toBe(148)
  })

  it('hides columns that do not fit, the least important first, and keeps the order of the rest', () => {
    expect(fitting(defaultLayout, 2000)).toEqual(defaultLayout.shown)
    expect(fitting(defaultLayout, 1100)).toEqual(['stage', 'procedure', 'phone', 'owner', 'followUp', 'lastContact'])
    expect(fitting(defaultLayout, 0)).toEqual([])
  })

  it('reads any stored layout as known columns without duplicates that fit any window', () => {
    const layout = fc.record({
      shown: fc.array(fc.constantFrom(...columnIds)),
      widths: fc.dictionary(fc.constantFrom(...columnIds), fc.integer()),
    })
    fc.assert(
      fc.property(layout, fc.integer({ min: 0, max: 3000 }), (stored, room) => {
        const read = readLayout(JSON.stringify(stored))
        const fit = fitting(read, room)
        expect(new Set(fit).size).toBe(fit.length)
        expect(read.shown.filter((id) => fit.includes(id))).toEqual(fit)
        const needed = fit.reduce((sum, id) => sum + widthOf(read, id), 0)
        expect(fit.length === 0 || needed <= room).toBe(true)
      }),
    )
  })
})
