import type { SequenceData } from './sequence-data.ts'

const number = (value: number): string => Math.abs(value).toLocaleString('en-CA', { maximumFractionDigits: 1 })
const signed = (value: number): string => (value < 0 ? `−${number(value)}` : number(value))

/** What the comparison with patients who got nothing says, in a sentence. */
export function compareBooking({ funnel, draft }: Pick<SequenceData, 'funnel' | 'draft'>): string {
  const { heldOut, booking } = funnel
  if (heldOut.entered === 0)
    return draft.holdOut === 0
      ? 'There is no comparison group: set one under “Hours and exits” to see what the sequence adds.'
      : 'No one is in the comparison group yet.'
  const share = number((heldOut.booked / heldOut.entered) * 100)
  const control = `The comparison group booked a consult in ${share}% of cases`
  if (booking === null) return `${control}, but there are too few patients to say what the sequence adds.`
  const { points, from, to } = booking
  const interval = `(95% sure: ${signed(from)} to ${signed(to)})`
  if (from > 0) return `${control}: the sequence adds ${number(points)} points ${interval}.`
  if (to < 0) return `${control}: the sequence costs ${number(points)} points ${interval}.`
  return `${control}: the difference of ${signed(points)} points may be chance ${interval}.`
}
