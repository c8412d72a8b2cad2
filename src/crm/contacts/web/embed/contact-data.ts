import type { Client } from '../../../../ui/client/api.ts'

/** A contact from the API: instants are ISO strings. */
export type ContactData = Awaited<ReturnType<Client['contacts']['get']>>

/** A row of the list, likewise. */
export type ContactRow = Awaited<ReturnType<Client['contacts']['list']>>['data'][number]

export const fullName = ({ firstName, lastName }: { firstName: string; lastName: string }): string => `${firstName} ${lastName}`

interface Named {
  firstName: string
  lastName: string
  preferredName: string | null
}

/** 'Deepa “Dee” Thambirajah': the legal name with the preferred one, if it differs. */
export function nameWithPreferred({ firstName, lastName, preferredName }: Named): string {
  return preferredName === null || preferredName === firstName ? `${firstName} ${lastName}` : `${firstName} “${preferredName}” ${lastName}`
}
