import type { Client } from '../../../../ui/client/api.ts'

/** A contact from the API: instants are ISO strings. */
export type ContactData = Awaited<ReturnType<Client['contacts']['get']>>

/** A row of the list, likewise. */
export type ContactRow = Awaited<ReturnType<Client['contacts']['list']>>['data'][number]

export const fullName = ({ firstName, lastName }: { firstName: string; lastName: string }): string => `${firstName} ${lastName}`
