/** How staff tried to reach a patient. The email and the letter are made by Refyne. */
export const channels = ['email', 'letter', 'phone', 'in_person'] as const
export type Channel = (typeof channels)[number]

/** How far an attempt is. `uncertain`: the server stopped while it was sent, so that no one knows; it is not sent again. */
export const attemptStates = ['queued', 'sending', 'sent', 'failed', 'uncertain', 'made', 'reached', 'no_answer'] as const
export type AttemptState = (typeof attemptStates)[number]

/** What came of it for a patient. `open`: no one knows yet that the patient knows. */
export const answers = ['open', 'informed', 'visit_booked', 'removed', 'declined', 'unreachable'] as const
export type Answer = (typeof answers)[number]

export interface Criteria {
  maker: string
  model: string | null
  lotFrom: string | null
  lotTo: string | null
  serialFrom: string | null
  serialTo: string | null
}

const isNumber = (text: string): boolean => /^[0-9]+$/.test(text)

/** Whether nothing can lie in a range, as `isWithin` in match.ts compares: the end is before the beginning, or shorter than it. */
export function isEmptyRange(from: string, to: string): boolean {
  if (isNumber(from) && isNumber(to)) return BigInt(to) < BigInt(from)
  const [first, last] = [[...from.toUpperCase()], [...to.toUpperCase()]]
  const differs = first.findIndex((character, place) => character !== last[place])
  if (last.length < first.length) return true
  return differs >= 0 && (last[differs]?.codePointAt(0) ?? -1) < first[differs]!.codePointAt(0)!
}

/** '7001 to 7044', '7001'; null for all. */
function formatRange(from: string | null, to: string | null): string | null {
  if (from === null) return null
  return to === null || to === from ? from : `${from} to ${to}`
}

/** 'Mentor MemoryGel Xtra, lots 7001 to 7044' */
export function formatCriteria({ maker, model, lotFrom, lotTo, serialFrom, serialTo }: Criteria): string {
  const [lots, serials] = [formatRange(lotFrom, lotTo), formatRange(serialFrom, serialTo)]
  return [[maker, model].filter(Boolean).join(' '), lots && `lot ${lots}`, serials && `serial ${serials}`].filter(Boolean).join(', ')
}
