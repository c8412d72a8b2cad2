import type { ConsentDefinition } from '../definition-rules.ts'

interface Surgery {
  id: string
  status: string
  startsAt: string | Date
  procedures: readonly { id: string }[]
}

/** The patient's next booked surgery that requires a consent form, whose text names what is planned for it. Null if there is none. */
export function nextSurgery(
  surgeries: readonly Surgery[],
  template: Pick<ConsentDefinition, 'use' | 'procedureIds'> | undefined,
  now: string | number | Date,
): string | null {
  if (!template || template.use === 'photos') return null
  const { use, procedureIds } = template
  const [next] = surgeries
    .filter(({ status, startsAt }) => ['tentative', 'confirmed'].includes(status) && new Date(startsAt) > new Date(now))
    .filter(({ procedures }) => use === 'every_surgery' || procedures.some(({ id }) => procedureIds.includes(id)))
    .toSorted((one, other) => new Date(one.startsAt).getTime() - new Date(other.startsAt).getTime())
  return next?.id ?? null
}
