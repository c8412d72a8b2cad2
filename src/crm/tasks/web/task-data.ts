import type { Client } from '../../../ui/client/api.ts'

/** A task as the API returns it: times are ISO strings. */
export type TaskData = Awaited<ReturnType<Client['tasks']['get']>>

export const patientName = ({ contact }: Pick<TaskData, 'contact'>): string | null =>
  contact === null ? null : `${contact.firstName} ${contact.lastName}`
