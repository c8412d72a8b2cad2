/** The parts of the dialog of a visit type, in order. */
export const parts = ['visit', 'availability', 'online', 'deposit', 'series'] as const
export type Part = (typeof parts)[number]

export const labels: Record<Part, string> = {
  visit: 'Visit',
  availability: 'Availability',
  online: 'Online booking',
  deposit: 'Deposit and fees',
  series: 'Series',
}

/** The fields of each part but the first, which has all others. */
const fields: Record<Exclude<Part, 'visit'>, readonly string[]> = {
  availability: ['bufferBefore', 'bufferAfter', 'maxPerDay', 'secondIds', 'equipmentIds'],
  online: ['isOnline', 'patients', 'noticeHours', 'horizonDays', 'changeHours', 'description', 'descriptionFr', 'formIds'],
  deposit: ['priceCents', 'depositKind', 'depositCents', 'depositPercent', 'lateFeeCents', 'noShowFeeCents', 'isDepositFirstOnly'],
  series: ['isSeries', 'seriesVisits', 'seriesWeeks'],
}

const others = ['availability', 'online', 'deposit', 'series'] as const

/** Whether a part has this field, or the field of an item such as 'formIds.0'. Problems of the whole form are in none. */
export function isInPart(path: string, part: Part): boolean {
  const field = path.split('.', 1)[0]!
  if (field === 'form') return false
  return part === (others.find((other) => fields[other].includes(field)) ?? 'visit')
}

/** The first part with one of these problems; undefined: none. */
export const partOf = (problems: readonly string[]): Part | undefined => parts.find((part) => problems.some((path) => isInPart(path, part)))
