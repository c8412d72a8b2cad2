import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Attribution, type Attributions, attributionsAfter, mergedAttributions } from './rules.ts'

const nothing = { utmSource: null, utmMedium: null, utmCampaign: null, utmTerm: null, utmContent: null, landingPage: null, referrer: null }
const lead = fc
  .tuple(fc.date({ noInvalidDate: true, min: new Date('2000-01-01'), max: new Date('2100-01-01') }), fc.string())
  .map(([at, source]): Attribution => ({ at: at.toISOString(), source, ...nothing, gclid: null, fbclid: null }))
const none: Attributions = { firstAttribution: null, latestAttribution: null }
const after = (leads: Attribution[]) => leads.reduce(attributionsAfter, none)

it('keeps the attribution of the first lead and of the latest one', () => {
  fc.assert(
    fc.property(fc.array(lead, { minLength: 1 }), (leads) => {
      expect(after(leads)).toEqual({ firstAttribution: leads[0], latestAttribution: leads.at(-1) })
    }),
  )
})

it('merges two contacts into what one contact with all their leads would have', () => {
  const inOrder = fc.uniqueArray(lead, { selector: ({ at }) => at }).map((leads) => leads.toSorted((a, b) => a.at.localeCompare(b.at)))
  fc.assert(
    fc.property(inOrder, fc.infiniteStream(fc.boolean()), (leads, sides) => {
      const marked = leads.map((one) => ({ one, mine: sides.next().value as boolean }))
      const side = (mine: boolean) => after(marked.filter((entry) => entry.mine === mine).map(({ one }) => one))
      expect(mergedAttributions(side(true), side(false))).toEqual(after(leads))
    }),
  )
})
